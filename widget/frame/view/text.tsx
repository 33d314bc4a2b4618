/** Text of other people: always text, never markup. Web addresses become links. */
import { Fragment } from 'preact'

const address = /\bhttps?:\/\/[^\s<>"']+/gi
/** Punctuation that ends a sentence is not part of an address. */
const tail = /[.,;:!?)\]}»”’]+$/

/** Returns the address if it is one that a link may have. */
export function toSafeUrl(text: string): string | undefined {
  try {
    const url = new URL(text)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
  } catch {
    return undefined
  }
}

export function Link({ url, children }: { url: string; children: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

export function LinkedText({ text }: { text: string }) {
  const parts = []
  let end = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const link = found.replace(tail, '')
    const url = toSafeUrl(link)
    if (!url) continue
    parts.push(
      text.slice(end, index),
      <Link url={url} key={index}>
        {link}
      </Link>,
    )
    end = index + link.length
  }
  return <Fragment>{[...parts, text.slice(end)]}</Fragment>
}
