/** A task on a screen in two steps, between which the service stops, and the task of a form. */
import type { Page } from 'playwright-core'

/** Calls the API as the owner; returns the body. */
// biome-ignore lint/suspicious/noExplicitAny: tests read response bodies freely
export type Call = (method: string, path: string, body?: unknown) => Promise<any>

export interface Task {
  at: string
  /** Goes up to the last step. */
  begin: (page: Page) => Promise<unknown>
  /** The last step: tried while the service is down, and again afterwards unless the screen does it automatically. */
  finish: (page: Page) => Promise<unknown>
  isAutomatic?: boolean
  /** How the screen says that the last step failed. */
  says: string | RegExp
  /** The state of the screen at the end. */
  shown?: string
  /** The entered text, which must still be there. */
  kept?: { label: string; value: string }
  /** The expected value in the service at the end, once. Screens that only read have none. */
  stored?: (call: Call) => Promise<unknown[]>
  expected?: string
}

export const unreachable = 'The service cannot be reached.'

interface Form {
  at: string
  /** The button that opens the dialog. */
  open?: string
  label: string
  more?: Record<string, string>
  value: string
  submit: string
  stored: NonNullable<Task['stored']>
}

/** A form whose last step is a button. Its dialog stays open until the service has accepted it. */
export function form({ at, open, label, more = {}, value, submit, stored }: Form): Task {
  const within = (page: Page) => (open ? page.getByRole('dialog') : page.getByRole('main'))
  return {
    at,
    begin: async page => {
      if (open) await page.getByRole('button', { name: open }).first().click()
      for (const [name, text] of Object.entries({ [label]: value, ...more }))
        await within(page).getByLabel(name, { exact: true }).first().fill(text)
    },
    finish: page => within(page).getByRole('button', { name: submit, exact: true }).first().click(),
    says: unreachable,
    kept: { label, value },
    stored,
    expected: value,
  }
}
