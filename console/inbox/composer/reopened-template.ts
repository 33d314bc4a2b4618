/** A template message that was taken back, or that the service refused: the picker opens with its values. */
import { createStore } from '../../app/store.ts'
import type { TemplateContent } from '../../templates/fields.ts'
import type { Refusal } from '../../templates/template-picker.tsx'

interface ReopenedTemplate {
  conversationId: string
  /** If it is not that of the conversation. */
  inboxId: string | undefined
  content: TemplateContent
  refusal?: Refusal
}

export const reopened = createStore<ReopenedTemplate | undefined>(undefined)
