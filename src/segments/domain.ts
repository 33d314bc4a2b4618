import { domain } from '../platform/domain.ts'
import type { Dependents } from './dependents.ts'
import { startContactBulkRoutes } from './routes/bulk.ts'
import { searchRoutes } from './routes/search.ts'
import { segmentRoutes } from './routes/segments.ts'
import { tagAndFieldDeletionRoutes } from './routes/tags-and-fields.ts'
import { segmentSearch } from './search-parts.ts'

export const segments = (dependents: Dependents) =>
  domain({
    search: segmentSearch,
    routes: [
      ...startContactBulkRoutes,
      ...searchRoutes,
      ...segmentRoutes(dependents),
      ...tagAndFieldDeletionRoutes(dependents),
    ],
  })
