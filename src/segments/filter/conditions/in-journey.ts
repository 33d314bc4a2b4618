/** Matches contacts that have a run of the journey in progress. */
import Type from 'typebox'
import { raw, sql } from '../../../platform/db/sql.ts'
import { AnyId, object } from '../../../platform/http/schemas.ts'
import { conditionType } from '../condition.ts'

/** Literals, because partial indexes do not match parameters. */
export const isRunInProgress = raw(`r.status in ('running', 'waiting')`)

export const inJourney = conditionType({
  schema: object(
    { type: Type.Literal('inJourney'), journeyId: AnyId },
    { description: 'extension: has a run of the journey in progress' },
  ),
  references: ({ journeyId }) => [{ kind: 'journey', id: journeyId, path: 'journeyId' }],
  sql: ({ journeyId }, { tenantId }) => {
    const ids = sql`
      select r.contact_id from workflow_runs r
      where r.tenant_id = ${tenantId} and r.workflow_id = ${journeyId} and ${isRunInProgress}`
    return {
      check: sql`coalesce((
        select true from workflow_runs r where r.tenant_id = c.tenant_id and r.contact_id = c.id
          and r.workflow_id = ${journeyId} and ${isRunInProgress} limit 1), false)`,
      collectCheck: sql`c.id in (${ids})`,
      ids,
    }
  },
  matches: ({ journeyId }, { journeyIds }) => journeyIds.includes(journeyId),
})
