/** The documents that the examples of settings are asked about. */

/** A paragraph about one thing, long enough to be a passage of its own. */
const PARAGRAPHS = {
  rotate:
    'To rotate an access token, revoke the old one first and issue another. Every service reads the token again within a minute, and requests that still carry the old token are answered with status 401 until they have picked up the new one.',
  expire:
    'An access token expires after ninety days. A week before that the owner is told by mail, and the dashboard shows the token in amber. Tokens that nobody has used for a year are revoked without any further notice to the owner of them.',
  store:
    'Keep the token in a secret store and never in the repository. The deployment mounts it as a file which only the service account can read, and the audit log notes each time that the file is opened by somebody for whatever reason it was.',
  revoke:
    'Before a credential is replaced, invalidate the previous one and hand out a fresh secret. All programs notice the change after about sixty seconds; calls which use the former key are refused as unauthorised in the meantime by the gateway.',
  bread:
    'Knead the dough for ten minutes, let it rest under a damp cloth until it has doubled, and bake the loaf in a very hot oven with some steam. A loaf is done when it sounds hollow as you knock on its lower crust with a knuckle of your hand.',
  garden:
    'Plant the bulbs in October, three times as deep as they are tall, in soil that lets water through. In spring the tulips come up before the leaves of the trees take their light, and they want no water at all while they are in full flower.',
} as const;

const TODAY = new Date().toISOString().slice(0, 10);

/** An edit of a few letters leaves nearly all trigrams. */
const NEAR_COPY = PARAGRAPHS.store.replace('secret store', 'sealed store');

export const DOCUMENTS: Readonly<Record<string, string>> = {
  'tokens.md': `---\ndate: 2001-01-01\n---\n# Access tokens\n\n## Rotation\n\n${PARAGRAPHS.rotate}\n\n## Expiry\n\n${PARAGRAPHS.expire}\n\n## Storage\n\n${PARAGRAPHS.store}\n`,
  'copy.md': `---\ndate: 2001-01-01\n---\n# Copy\n\n${PARAGRAPHS.expire}\n`,
  'copy-two.md': `---\ndate: 2001-01-01\n---\n# Copy\n\n${PARAGRAPHS.expire}\n`,
  'near-copy.md': `---\ndate: 2001-01-01\n---\n# Secrets\n\n${NEAR_COPY}\n`,
  'credentials.md': `---\ndate: 2001-01-01\n---\n# Credentials\n\n${PARAGRAPHS.revoke}\n`,
  'news.md': `---\ndate: ${TODAY}\n---\n# News\n\nThis week the token service was moved to other machines.\n`,
  'api.md': `---\ndate: 2001-01-01\n---\n# Client\n\nThe client asks for a token.\n\n\`\`\`ts\nconst token = await rotateToken(account)\nclient.setToken(token)\n\`\`\`\n`,
  'kitchen/bread.md': `---\ndate: 2001-01-01\n---\n# Bread\n\n${PARAGRAPHS.bread}\n\nSee [[oven]], [[flour]] and [[garden]].\n`,
  'kitchen/oven.md':
    '---\ndate: 2001-01-01\n---\n# Bricks\n\nFired clay keeps its heat. See [[flour]] and [[bread]].\n',
  'kitchen/flour.md':
    '---\ndate: 2001-01-01\n---\n# Mills\n\nStones turned by water. See [[oven]] and [[bread]].\n',
  'kitchen/garden.md': `---\ndate: 2001-01-01\n---\n# Garden\n\n${PARAGRAPHS.garden}\n\nSee [[compost]].\n`,
  'kitchen/compost.md':
    '---\ndate: 2001-01-01\n---\n# Compost\n\nLeaves and peelings turn into earth within a year.\n\nSee [[worms]].\n',
  'kitchen/worms.md': '---\ndate: 2001-01-01\n---\n# Worms\n\nThey like it moist and dark.\n',
  'long.md': `---\ndate: 2001-01-01\n---\n# Handbook\n\n${Array.from(
    { length: 14 },
    (_, day) =>
      `## Day ${day + 1}\n\nOn day ${day + 1} a token was used ${day * 7 + 3} times. ${PARAGRAPHS.bread.slice(day * 5)}`,
  ).join('\n\n')}\n`,
};
