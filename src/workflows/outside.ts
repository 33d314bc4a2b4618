/** What workflows must ask a neighbour whom they do not know: campaigns answer when the process is put together. */
import type { Queryable } from '../platform/db/db.ts'

type Exists = (on: Queryable, tenantId: string, id: string) => Promise<boolean>

let campaignThere: Exists = async () => true

export function onCampaignQuestion(answer: Exists): void {
  campaignThere = answer
}

export function campaignExists(on: Queryable, tenantId: string, id: string): Promise<boolean> {
  return campaignThere(on, tenantId, id)
}
