import { type ReactNode, useState } from 'react'
import { t } from '../../../i18n/i18n.ts'
import styles from '../thread.module.css'
import { formatText } from './format-text.tsx'
import { shortenText } from './shorten-text.ts'

interface LongTextProps {
  text: string
  format?: (text: string) => ReactNode
}

/** A text of any length: of a long one the beginning is shown until the user asks for the rest. */
export function LongText({ text, format = formatText }: LongTextProps): ReactNode {
  const [isWhole, setWhole] = useState(false)
  const short = shortenText(text)
  if (short === undefined) return format(text)
  return (
    <>
      {format(isWhole ? text : short)}
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={isWhole}
        onClick={() => setWhole(!isWhole)}
      >
        {isWhole ? t.showLess : t.showMore}
      </button>
    </>
  )
}
