import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../../src/engine/config/config.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();

/** A name that no request can ever have would be refused at every request, with the advice to list it. */
function load(server: string) {
  const config = join(folder, 'docfuse.toml');
  writeFileSync(config, `[server]\n${server}\n`);
  return loadConfig({ cwd: folder, config }).settings.server;
}

test.each(['http://x.y', 'notes.example:7331', 'a/b', '', '*', 'bücher.example', '::1'])(
  'no request names the host %j',
  (name) =>
    expect(() => load(`allowed_hosts = ["a.b", "${name}"]`)).toThrow(
      `docfuse.toml:2: server.allowed_hosts.1: “${name}” is not a host name such as notes.example`,
    ),
);

test.each([
  '*',
  'app.example',
  'https://a.example/path',
  'https://a.example:443',
  'https://u@a.example',
  'null',
  '',
])('no page has the origin %j', (site) =>
  expect(() => load(`allowed_origins = ["${site}"]`)).toThrow(
    `docfuse.toml:2: server.allowed_origins.0: “${site}” is not an origin such as https://notes.example`,
  ),
);

test('names and origins as browsers send them are taken', () => {
  const server = {
    allowed_hosts: ['notes.example', 'My_Host', '10.0.0.7', '[::1]'],
    allowed_origins: [
      'https://Notes.example/',
      'http://10.0.0.7:8080',
      'http://[::1]:8080',
      'app://obsidian.md',
    ],
  };
  const toml = Object.entries(server).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
  expect(load(toml.join('\n'))).toMatchObject(server);
});
