/** Turns the marks of the channels (*bold*, _italic_, ~strike~, `code`) and links into elements, without HTML. */
import type { ReactNode } from 'react'
import styles from '../thread.module.css'

const pattern =
  /`([^`\n]+)`|(?<![\p{L}\p{N}*])\*([^*\n]+)\*(?![\p{L}\p{N}*])|(?<![\p{L}\p{N}_])_([^_\n]+)_(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}~])~([^~\n]+)~(?![\p{L}\p{N}~])|(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]}])/gu

export function formatText(text: string): ReactNode[] {
  const parts: ReactNode[] = []
  let end = 0
  for (const match of text.matchAll(pattern)) {
    if (match.index > end) parts.push(text.slice(end, match.index))
    parts.push(toElement(match))
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push(text.slice(end))
  return parts
}

function toElement(match: RegExpExecArray): ReactNode {
  const [whole, code, bold, italic, strike] = match
  const key = match.index
  if (code)
    return (
      <code key={key} className={styles.code}>
        {code}
      </code>
    )
  if (bold) return <strong key={key}>{bold}</strong>
  if (italic) return <em key={key}>{italic}</em>
  if (strike) return <s key={key}>{strike}</s>
  return (
    <a key={key} href={whole} target="_blank" rel="noreferrer noopener">
      {whole}
    </a>
  )
}

const emojiOnly = /^(\p{Extended_Pictographic}|\p{Emoji_Component}|\s){1,12}$/u

export const isEmojiOnly = (text: string) => emojiOnly.test(text) && !/^[\d\s#*]+$/.test(text)
