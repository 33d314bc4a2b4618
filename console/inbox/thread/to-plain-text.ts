import type { Content } from './content.tsx'

/** Returns the text of a message without its buttons and files; empty if it has none. */
export function toPlainText(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text.body
    case 'media':
      return content.media.caption ?? ''
    case 'rich':
      return content.rich.body.text
    case 'reply':
      return content.reply.title
    case 'template':
      return 'renderedText' in content.template ? (content.template.renderedText ?? '') : ''
    default:
      return ''
  }
}
