/** Turns the marks of the channels and links into elements, without HTML. */
import type { ReactNode } from 'react'
import styles from '../thread.module.css'
import { type Part, splitMarks } from './format-marks.ts'

export const formatText = (text: string): ReactNode[] => splitMarks(text).map(toElement)

function toElement(part: Part): ReactNode {
  if (typeof part === 'string') return part
  const { kind, text, index } = part
  if (kind === 'bold') return <strong key={index}>{text}</strong>
  if (kind === 'italic') return <em key={index}>{text}</em>
  if (kind === 'strike') return <s key={index}>{text}</s>
  if (kind === 'code')
    return (
      <code key={index} className={styles.code}>
        {text}
      </code>
    )
  return (
    <a key={index} href={text} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  )
}

const emojiOnly = /^(\p{Extended_Pictographic}|\p{Emoji_Component}|\s){1,12}$/u

export const isEmojiOnly = (text: string) => emojiOnly.test(text) && !/^[\d\s#*]+$/.test(text)
