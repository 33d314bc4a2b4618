/** Responses of the API to visitors; see docs/webchat.md. */

export interface Config {
  inboxKey: string
  workspaceName: string
  appearance: {
    accent: string
    position: 'left' | 'right'
    theme: 'auto' | 'light' | 'dark'
    title: string
    subtitle: string | null
    launcherText: string | null
  }
  greeting: string | null
  availability: { isOpen: boolean; opensAt: string | null }
  preChat: { fields: PreChatField[] } | null
  maxUploadBytes: number
  csat: boolean
  isIdentityRequired: boolean
}

export type ClaimKey = 'name' | 'email' | 'phone'

export interface PreChatField {
  key: ClaimKey
  label: string | null
  isRequired: boolean
}

export interface Visitor {
  id: string
  isVerified: boolean
  /** The visitor can read, but not write. */
  isBlocked: boolean
  name: string | null
  email: string | null
  phone: string | null
}

export interface Conversation {
  id: string
  status: string
  canRate: boolean
  rating: number | null
  agent: { name: string; avatarUrl: string | null } | null
  /** `seq` of the visitor's last message that a person has read. */
  seenUpTo: number | null
}

export interface FileFacts {
  mediaId: string
  url?: string
  mimeType?: string
  size?: number
  filename?: string | null
  caption?: string
}

export interface ListRow {
  id: string
  title: string
  description?: string
}

export type Action =
  | { type: 'reply'; id: string; title: string }
  | { type: 'url'; title: string; url: string }
  | { type: 'list'; title: string; sections: { title?: string; rows: ListRow[] }[] }
  | { type: 'flow'; title: string }

export interface Rich {
  header?: { type: 'text'; text: string } | { type: 'media'; media: FileFacts }
  body: { text: string }
  footer?: { text: string }
  actions: Action[]
}

/** Content that visitors can send. */
export type OutgoingContent =
  | { type: 'text'; text: { body: string } }
  | { type: 'media'; media: { mediaId: string; caption?: string } }
  | { type: 'reply'; reply: { id: string; title: string } }
  | { type: 'formResponse'; formResponse: { values: Partial<Record<ClaimKey, string>> } }

export type Content =
  | { type: 'text'; text: { body: string } }
  | { type: 'media'; media: FileFacts }
  | { type: 'reply'; reply: { id: string; title: string } }
  | { type: 'formResponse'; formResponse: { values: Record<string, unknown> } }
  | { type: 'rich'; rich: Rich }
  | { type: 'contactInfoRequest'; contactInfoRequest: { body: { text: string } } }
  | { type: 'template'; template: { renderedText?: string } }
  | {
      type: 'location'
      location: { latitude: number; longitude: number; name?: string; address?: string }
    }
  | { type: 'contacts' | 'unsupported' | 'deleted' }

export interface Message {
  id: string
  clientMessageId: string | null
  /** The place in the conversation. */
  seq: number
  createdAt: string
  author: { kind: 'visitor' | 'agent' | 'bot'; name: string | null; avatarUrl: string | null }
  status: 'sent' | 'delivered' | 'read'
  replyTo: string | null
  content: Content
}

export interface MessagePage {
  conversation: Conversation | null
  messages: Message[]
  hasMore: boolean
  /** Where the socket continues. */
  seq: number
}

export interface Identity {
  visitor: Visitor
  conversation: Conversation | null
}

export interface Session {
  visitorToken: string | null
  expiresAt: string
  visitor: Visitor
  config: Config
  conversation: Conversation | null
  unreadCount: number
}

export type SocketFrame =
  | { type: 'hello'; data: { seq: number; heartbeatMs: number } }
  | { type: 'message'; seq: number; data: Message }
  | { type: 'typing'; data: { isTyping: boolean; name: string | null } }
  | { type: 'conversation'; seq: number; data: Conversation | null }
  | { type: 'visitor'; data: Visitor }
  | { type: 'resync' }
