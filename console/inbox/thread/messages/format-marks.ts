/**
 * Finds the marks of the channels in a text: ```code```, `code`, *bold*, _italic_, ~strike~, and links. As in the apps of
 * the customers, a mark touches the text that it encloses, and stands beside no letter or digit.
 */
export type Part =
  | string
  | { kind: 'code' | 'bold' | 'italic' | 'strike' | 'link'; text: string; index: number }

const pattern =
  /```(?!\s*`)([^`]+)```|`([^`\n]+)`|(?<![\p{L}\p{N}*])\*(?!\s)([^*\n]*[^*\s])\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}_])_(?!\s)([^_\n]*[^_\s])_(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}~])~(?!\s)([^~\n]*[^~\s])~(?![\p{L}\p{N}~])|(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])/gu

export function splitMarks(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    const { index } = match
    if (index > end) parts.push(text.slice(end, index))
    const [whole, block, code, bold, italic, strike] = match
    if (block) parts.push({ kind: 'code', text: block.replace(/^\n|\n$/g, ''), index })
    else if (code) parts.push({ kind: 'code', text: code, index })
    else if (bold) parts.push({ kind: 'bold', text: bold, index })
    else if (italic) parts.push({ kind: 'italic', text: italic, index })
    else if (strike) parts.push({ kind: 'strike', text: strike, index })
    else parts.push({ kind: 'link', text: whole, index })
    end = index + whole.length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}
