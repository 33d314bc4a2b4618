/** How many contacts there are. Those of the workspace are counted already; an agent sees fewer. */
import type { Db } from '../platform/db/db.ts'
import { countVisible, getCount } from './store/counts.ts'
import { canSeeAll, type Viewer } from './visibility.ts'

export function countContacts(db: Db, viewer: Viewer, state: 'active' | 'archived'): Promise<number> {
  return canSeeAll(viewer) ? getCount(db, viewer.tenantId, state) : countVisible(db, viewer, state)
}
