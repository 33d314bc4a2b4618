/** Shows what a message contains. */
import type { ComponentChildren } from 'preact'
import type { Content, FileFacts, Message, Rich } from '../types.ts'
import { useChat } from './context.ts'
import { FileView } from './file-view.tsx'
import { ContactForm } from './forms/contact-form.tsx'
import { RichCard } from './rich-card.tsx'
import { LinkedText } from './text.tsx'

type Shown = Pick<Message, 'content'> & { id: string | null }

export function MessageContent({ id, content }: Shown) {
  const { texts } = useChat()
  if (content.type === 'rich' && !isSurvey(content.rich))
    return <RichCard messageId={id} rich={content.rich} />
  switch (content.type) {
    case 'media':
      return <FileBubble file={content.media} />
    case 'contactInfoRequest':
      return <ContactForm messageId={id} text={content.contactInfoRequest.body.text} />
    case 'deleted':
      return <TextBubble isMuted>{texts.deleted}</TextBubble>
    default: {
      const text = toText(content)
      return text ? (
        <TextBubble>
          <LinkedText text={text} />
        </TextBubble>
      ) : (
        <TextBubble isMuted>{texts.unsupported}</TextBubble>
      )
    }
  }
}

/** The question of a survey is answered with the faces below the conversation. */
const isSurvey = ({ actions: [first] }: Rich) => first?.type === 'reply' && /^survey:.+:[1-5]$/.test(first.id)

/** Returns what can be read of a message, for bubbles and quotes. */
export function toText(content: Content): string {
  switch (content.type) {
    case 'text':
      return content.text.body
    case 'reply':
      return content.reply.title
    case 'rich':
      return content.rich.body.text
    case 'contactInfoRequest':
      return content.contactInfoRequest.body.text
    case 'template':
      return content.template.renderedText ?? ''
    case 'media':
      return content.media.caption ?? content.media.filename ?? ''
    case 'formResponse':
      return Object.values(content.formResponse.values).map(String).join('\n')
    case 'location': {
      const { latitude, longitude, name, address } = content.location
      return [name, address, `${latitude}, ${longitude}`].filter(Boolean).join('\n')
    }
    default:
      return ''
  }
}

function TextBubble({ children, isMuted }: { children: ComponentChildren; isMuted?: boolean }) {
  return (
    <p class={isMuted ? 'bubble muted' : 'bubble'} dir="auto">
      {children}
    </p>
  )
}

function FileBubble({ file }: { file: FileFacts }) {
  return (
    <div class="bubble file">
      <FileView file={file} />
      {file.caption && (
        <p dir="auto">
          <LinkedText text={file.caption} />
        </p>
      )}
    </div>
  )
}
