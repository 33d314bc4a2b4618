import type { Content } from './content.tsx'
import { toFormValue } from './form-value.ts'

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
    case 'contactInfoRequest':
      return content.contactInfoRequest.body.text
    case 'formResponse':
      return Object.values(content.formResponse.values).map(toFormValue).join('\n')
    default:
      return ''
  }
}
