import type { FileFacts } from '../types.ts'
import { useChat } from './context.ts'
import { Icon } from './icons.tsx'
import { toSafeUrl } from './text.tsx'

/** Shows images, audio and video, and a link for other files. Files are read from this service only. */
export function FileView({ file }: { file: FileFacts }) {
  const { texts, formats } = useChat()
  const url = file.url && toSafeUrl(new URL(file.url, location.href).href)
  const name = file.filename || texts.download
  const kind = file.mimeType?.split('/')[0]
  if (!url) return <span>{name}</span>
  if (kind === 'image')
    return (
      <a href={url} target="_blank" rel="noopener noreferrer" class="image">
        <img src={url} alt={file.filename || texts.attach} loading="lazy" />
      </a>
    )
  // biome-ignore lint/a11y/useMediaCaption: recordings of customers and agents have no captions
  if (kind === 'audio') return <audio src={url} controls preload="metadata" />
  // biome-ignore lint/a11y/useMediaCaption: recordings of customers and agents have no captions
  if (kind === 'video') return <video src={url} controls preload="metadata" />
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" download={name} class="file-link">
      <Icon name="file" />
      <span>
        <bdi>{name}</bdi>
        {file.size !== undefined && <small>{formats.size(file.size)}</small>}
      </span>
    </a>
  )
}
