/** Makes text of documents and file systems safe to show: without reordering, hidden characters or terminal commands. */

/**
 * Shows a name, a title or a message on one line, for terminals, logs, MCP text and Markdown. Control characters below U+0020
 * become their Unicode pictures, such as ␊ for a line feed. Other controls, separators and invisible characters become TOML
 * escapes, `\u202e` or `\U000e0041`. Nothing is removed, so different names look different.
 */
export function oneLine(text: string): string {
  return isSuspect(text) || /[\t\n]/.test(text) ? replaceUnsafe(text, shown) : text;
}

/**
 * Shows text of many lines, for terminals, logs, MCP text and Markdown. Line feeds and tabs stay. Other controls and separators
 * are shown as in `oneLine`. Invisible characters, such as soft hyphens, direction marks and tags, are removed.
 */
export function manyLines(text: string): string {
  if (!isSuspect(text)) return text;
  return replaceUnsafe(text.replaceAll('\r\n', '\n'), (found) => {
    if (found === '\n' || found === '\t') return found;
    return /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(found) ? shown(found) : '';
  });
}

/** Shows a text as `oneLine` does, escaped for HTML text and quoted attributes. */
export function oneLineOfHtml(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/**
 * Writes a value as JSON that is safe to print on a terminal. Unsafe characters become JSON escapes, so programs still read the
 * same value. JSON over HTTP and MCP is read only by programs and does not need this function.
 */
export function safeJson(value: unknown, indent?: number): string {
  const json = JSON.stringify(value, undefined, indent);
  if (!isSuspect(json)) return json;
  return replaceUnsafe(json, (found) =>
    found === '\n'
      ? found
      : Array.from({ length: found.length }, (_, at) => `\\u${hex(found.charCodeAt(at), 4)}`).join(''),
  );
}

/** Quick test: whether a text may contain characters to replace, except tabs and line feeds. False for most texts. */
function isSuspect(text: string): boolean {
  return SUSPECT.test(text) || !text.isWellFormed();
}

/** Covers more characters than are replaced: V8 takes ten times as long with the exact ranges. */
const SUSPECT = new RegExp(
  String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f` +
    String.raw`\u3164\ud82f-\ud834\udb40-\udb43\ufe00-\ufeff\uffa0-\ufffb]`,
);

/** The patterns are created in this function, not at start-up: compiling them takes milliseconds, and few texts need them. */
function replaceUnsafe(text: string, replace: (found: string) => string): string {
  return text.replace(
    /\p{RGI_Emoji_Tag_Sequence}|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gv,
    (found, at: number) => (isWriting(found, at, text) ? found : replace(found)),
  );
}

/**
 * Whether an invisible character is part of normal writing: a flag made of tags, a joiner inside a word or an emoji, or one
 * variation selector after its character.
 */
function isWriting(found: string, at: number, text: string): boolean {
  const before = text.slice(Math.max(0, at - 3), at);
  const after = text.slice(at + 1, at + 3);
  if (found === '\u200c' || found === '\u200d') {
    return (
      /[[\p{L}\p{M}\p{Emoji_Modifier}\p{Extended_Pictographic}]--\p{Default_Ignorable_Code_Point}]\ufe0f?$/v.test(
        before,
      ) && /^[[\p{L}\p{Extended_Pictographic}]--\p{Default_Ignorable_Code_Point}]/v.test(after)
    );
  }
  if (/^[\ufe00-\ufe0f\u180b-\u180d\u180f]/.test(found)) {
    return /[[\p{L}\p{M}\p{N}\p{P}\p{S}]--\p{Default_Ignorable_Code_Point}]$/v.test(before);
  }
  return /^[\u{e0100}-\u{e01ef}]/u.test(found) ? /\p{Script=Han}$/u.test(before) : found.length > 2;
}

function shown(found: string): string {
  const code = found.codePointAt(0)!;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
