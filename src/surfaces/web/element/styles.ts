/** Styles inside `<docfuse-search>`. The element inherits colours and fonts from the site. */
export const STYLES = `:host {
  --line: color-mix(in srgb, currentcolor 25%, transparent);
  --quiet: color-mix(in srgb, currentcolor 75%, transparent);
  display: block;
}

input {
  box-sizing: border-box;
  inline-size: 100%;
  padding: 0.5em 0.75em;
  border: 1px solid var(--line);
  border-radius: 0.4em;
  background: transparent;
  color: inherit;
  font: inherit;
}

.status {
  margin: 0.4em 0;
  color: var(--quiet);
  font-size: 0.85em;
}

ol {
  margin: 0;
  padding: 0;
  list-style: none;
}

li {
  padding-block: 0.5em;
  border-block-start: 1px solid var(--line);
  overflow-wrap: anywhere;
}

a {
  color: inherit;
  font-weight: 600;
}

.headings {
  margin-inline-start: 0.5em;
  color: var(--quiet);
}

p,
pre {
  margin: 0.25em 0 0;
  white-space: pre-line;
}

pre {
  white-space: pre-wrap;
}

mark {
  background: color-mix(in srgb, gold 45%, transparent);
  color: inherit;
}

:focus-visible {
  outline: 2px solid currentcolor;
  outline-offset: 2px;
}`;
