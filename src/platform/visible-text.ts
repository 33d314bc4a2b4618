/** Tells whether a text has a character that is seen: providers and people show others as nothing. */

const visible = /[^\s\p{Default_Ignorable_Code_Point}\p{Cc}\u2800]/u

export function hasVisibleCharacter(text: string): boolean {
  return visible.test(text)
}

/**
 * The same as a pattern for schemas, in ranges that the regular expressions of all languages have. It lacks the invisible
 * characters beyond U+FFFF.
 */
export const visiblePattern =
  '[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f' +
  '\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8]'
