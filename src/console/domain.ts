import type { BootstrapPart } from '../platform/bootstrap.ts'
import { type Domain, domain } from '../platform/domain.ts'
import type { SearchPart } from '../platform/search.ts'
import { consoleRoutes } from './routes.ts'
import { searchRoutes } from './search.ts'

/** Operations for the web console. The parts come from the other domains. */
export function consoleApi(parts: readonly BootstrapPart[], searches: readonly SearchPart[]): Domain {
  return domain({ routes: [...consoleRoutes(parts), ...searchRoutes(searches)] })
}
