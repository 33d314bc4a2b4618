/** The values that templates and expressions of a run can read. Contact and conversation are loaded on first use. */
import { loadContacts } from '../../../contacts/contact-views.ts'
import type { Contact } from '../../../contacts/schemas.ts'
import { emailFieldId, phoneFieldId } from '../../../contacts/tags-and-fields/custom-field-values.ts'
import { conversationToApi, findConversation } from '../../../conversations/conversations.ts'
import type { Tx } from '../../../platform/db/db.ts'
import { createBudget, interpolate } from '../../../platform/interpolation/interpolation.ts'
import { createEncoder } from '../../../platform/interpolation/placeholder-encoding.ts'
import { type EvaluationMode, evaluate, inTurn, matches } from '../../expressions/evaluation.ts'
import type { InterpolateOptions, Json } from '../../nodes/node-type.ts'
import { getText } from '../../triggers/event-data.ts'
import type { Run } from './run.ts'

type Values = Record<string, unknown>

export interface RunScope {
  interpolate<T>(value: T, options?: InterpolateOptions): Promise<T>
  evaluate(expression: string): Promise<Json>
  matchesPattern(pattern: string, text: string): Promise<boolean>
  /** Reloads contact and conversation on their next use. */
  invalidate(): void
}

/** Thrown by a node for an error that a retry cannot fix; the run fails immediately. */
export class PermanentStepError extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export function createScope(tx: Tx, run: Run, now: Date, mode: EvaluationMode = 'bounded'): RunScope {
  let contact: Promise<Values | null> | undefined
  let conversation: Promise<Values | null> | undefined

  async function loadValues(texts: readonly string[]): Promise<Values> {
    const mentions = (name: string) => texts.some(text => text.includes(name))
    if (mentions('contact')) contact ??= loadContact(tx, run)
    if (mentions('conversation')) conversation ??= loadConversation(tx, run)
    const [contactValues = null, conversationValues = null] = await Promise.all([contact, conversation])
    return {
      contact: contactValues,
      conversation: conversationValues,
      message: run.message && { ...run.message, text: getText(run.message.content) },
      variables: run.variables,
      event: { ...run.event.data, ...run.event },
      now,
    }
  }

  return {
    async interpolate(value, { place, secrets } = {}) {
      const texts = collectStrings(value).filter(text => text.includes('{{'))
      if (texts.length === 0) return value
      const values = { ...(await loadValues(texts)), ...(secrets ? { secrets } : {}) }
      const budget = createBudget()
      const fill = (text: string) => interpolate(text, values, budget, place && createEncoder(place)).text
      const filled = await inTurn(() => mapStrings(value, fill))
      if (!budget.exceeded) return filled
      throw new PermanentStepError('text_too_large', 'placeholders must not add more than 256 KiB to a step')
    },
    async evaluate(expression) {
      return evaluate(run.tenantId, expression, await loadValues([expression]), mode)
    },
    matchesPattern: (pattern, text) => matches(run.tenantId, pattern, text, mode),
    invalidate() {
      contact = undefined
      conversation = undefined
    },
  }
}

async function loadContact(tx: Tx, { tenantId, contactId }: Run): Promise<Values | null> {
  const [contact] = await loadContacts(tx, tenantId, [contactId])
  return contact
    ? { ...contact, email: contact.customFields[emailFieldId] ?? null, phone: getPhone(contact) }
    : null
}

function getPhone({ identities, customFields }: Contact): string | null {
  const identity = identities.find(({ metadata }) => metadata.phoneNumber)
  return identity?.metadata.phoneNumber ?? customFields[phoneFieldId] ?? null
}

async function loadConversation(tx: Tx, { tenantId, conversationId }: Run): Promise<Values | null> {
  if (conversationId === null) return null
  const row = await findConversation(tx, tenantId, conversationId)
  return row ? { ...conversationToApi(row) } : null
}

function collectStrings(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(collectStrings)
}

function mapStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map(item => mapStrings(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, mapStrings(item, change)]),
  ) as T
}
