/** Messages between the loader on the page and the frame. The visitor's token and texts never leave the frame. */

export type Theme = 'auto' | 'light' | 'dark'

export interface ContactClaims {
  name?: string
  email?: string
  phone?: string
}

/** Facts about the page for the frame. */
export interface PageState {
  isOpen: boolean
  locale: string
  /** Undefined: that of the inbox. */
  theme: Theme | undefined
  /** Address of the page without query and fragment. */
  page: string
  referrer: string
}

export type ToFrame =
  | { type: 'state'; data: PageState }
  | { type: 'identify'; data: { jwt: string } }
  | { type: 'contact'; data: ContactClaims }

export type ToPage =
  | { type: 'ready' }
  | { type: 'close' }
  /** `label`: the count in words of the visitor's language; empty if it is 0. */
  | { type: 'unread'; data: { count: number }; label: string }
  /** There is a conversation: the next page loads the frame immediately, so that replies are noticed. */
  | { type: 'conversation' }
  | { type: 'message'; data: { id: string; author: 'agent' | 'bot' } }
  | { type: 'identified'; data: { isVerified: boolean; code: string | null } }

/** Marks our messages among those of other scripts, and names the inbox. */
export type Envelope<T> = T & { parley: string }
