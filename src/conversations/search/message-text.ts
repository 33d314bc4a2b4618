import type { Content } from '../../inboxes/content.ts'

/** Returns the text of a message that a search finds: what the customer or the user sees, without ids and payloads. */
export function toSearchableText(content: Content): string {
  return listTexts(content)
    .filter(text => text)
    .join('\n')
}

function listTexts(content: Content): (string | undefined)[] {
  switch (content.type) {
    case 'text':
      return [content.text.body]
    case 'template':
      return [content.template.renderedText]
    case 'media':
      return [content.media.caption, content.media.filename]
    case 'rich': {
      const { header, body, footer, actions } = content.rich
      const headerText = header?.type === 'text' ? header.text : undefined
      return [headerText, body.text, footer?.text, ...actions.map(({ title }) => title)]
    }
    case 'contactInfoRequest':
      return [content.contactInfoRequest.body.text]
    case 'reply':
      return [content.reply.title, content.reply.description]
    case 'location':
      return [content.location.name, content.location.address]
    default:
      return []
  }
}
