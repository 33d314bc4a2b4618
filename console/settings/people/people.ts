/** People, teams, and links that are shown once. */
import type { Schemas } from '../../api/client.ts'
import { texts } from './texts.ts'

export type User = Schemas['ListedUser']
export type Team = Schemas['Team']

/** A link that is shown once. */
export interface OneTimeLink {
  title: string
  hint: string
  label: string
  secret: string
}

/** The token is in the fragment, which is not sent to servers. */
export const toLink = (path: string, token: string) => new URL(`${path}#${token}`, location.href).href

export const toInvitationLink = (email: string, token: string): OneTimeLink => ({
  title: texts().linkTitle(email),
  hint: texts().linkHint,
  label: texts().linkLabel,
  secret: toLink('/invitation', token),
})
