/** The differences between the routes of journeys and those of chatbots. */
import Type, { type TObject, type TSchema } from 'typebox'
import type { RoleDeps } from '../../identity/rights/reauthorize.ts'
import { everyone } from '../../identity/rights/roles.ts'
import type { Tx } from '../../platform/db/db.ts'
import type { ProblemKind } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { nextPageToken } from '../../platform/http/page.ts'
import { object } from '../../platform/http/schemas.ts'
import type { CampaignExists } from '../definition/references.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import type { WorkflowDefinition } from '../schemas.ts'
import type { VersionRow } from '../store/versions.ts'
import type { WorkflowRow } from '../store/workflows.ts'
import type { WorkflowKey } from '../workflows.ts'

export interface WorkflowApi {
  kind: WorkflowKind
  campaignExists: CampaignExists
  /** The word in operation ids. */
  noun: 'Journey' | 'Chatbot'
  schemas: {
    workflow: TSchema
    listed: TSchema
    version: TSchema
    create: TSchema
    update: TSchema
    draft: TObject
  }
  /** The contract reads a journey's version without the journey's id. */
  versionPath: `/${string}/{versionId}`
  toApi: (row: WorkflowRow) => unknown
  versionToApi: (row: VersionRow) => unknown
  create: (tx: Tx, caller: Caller, body: never) => Promise<unknown>
  update: (tx: Tx, caller: Caller, key: WorkflowKey, body: never) => Promise<unknown>
  /** Returns the stored draft with the draft of a request, as `update` would store it. */
  mergeDraft: (body: never, current: WorkflowDefinition) => WorkflowDefinition
  remove: (tx: Tx, caller: Caller, key: WorkflowKey) => Promise<void>
  activate: (deps: RoleDeps, tx: Tx, caller: Caller, id: string) => Promise<WorkflowRow>
  pause: (tx: Tx, caller: Caller, id: string) => Promise<WorkflowRow>
  texts: { create: string; activate: string; pause: string; example: Record<string, unknown> }
  /** Further errors of updating and activating. */
  scopeErrors: readonly ProblemKind[]
}

export const can = (what: string) => ({ scopes: [`journey:${what}`], roles: everyone })

export function listBody(name: string, schema: TSchema) {
  return object({
    [name]: Type.Array(schema),
    nextPageToken,
    totalSize: Type.Integer(),
  })
}
