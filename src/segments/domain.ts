import { domain } from '../platform/domain.ts'
import { labelDeletionRoutes } from './routes/labels.ts'
import { searchRoutes } from './routes/search.ts'
import { segmentRoutes } from './routes/segments.ts'
import type { Dependents } from './uses.ts'

export const segments = (dependents: Dependents) =>
  domain({
    routes: [...searchRoutes, ...segmentRoutes(dependents), ...labelDeletionRoutes(dependents)],
  })
