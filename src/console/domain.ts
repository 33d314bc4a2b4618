import type { BootstrapPart } from '../platform/contributions/bootstrap.ts'
import type { SearchPart } from '../platform/contributions/search.ts'
import { type Domain, domain } from '../platform/domain.ts'
import { consoleRoutes } from './routes.ts'
import { searchRoutes } from './search.ts'

/** Operations for the web console. The parts come from the other domains. */
export function consoleApi(parts: readonly BootstrapPart[], searches: readonly SearchPart[]): Domain {
  return domain({ routes: [...consoleRoutes(parts), ...searchRoutes(searches)] })
}
