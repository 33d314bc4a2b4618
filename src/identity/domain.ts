import { domain } from '../platform/domain.ts'
import type { Route } from '../platform/http/route.ts'
import { sealedSecondFactors } from './auth/second-factor.ts'
import { identityBootstrap } from './bootstrap.ts'
import { identityCrons } from './jobs.ts'
import { authRoutes } from './routes/auth.ts'
import { availabilityRoutes } from './routes/availability.ts'
import { oidcRoutes } from './routes/oidc.ts'
import { secondFactorRoutes } from './routes/second-factor.ts'
import { scopeRoutes, serviceAccountRoutes } from './routes/service-accounts.ts'
import { sessionRoutes } from './routes/sessions.ts'
import { teamRoutes } from './routes/teams.ts'
import { userRoutes } from './routes/users.ts'
import { workspaceRoutes } from './routes/workspace.ts'
import { identitySearch } from './search.ts'

/** `listRoutes` returns the routes of all domains, which the scopes are described by. */
export const identity = (listRoutes: () => readonly Route[]) =>
  domain({
    routes: [
      ...sessionRoutes,
      ...oidcRoutes,
      ...authRoutes,
      ...userRoutes,
      ...teamRoutes,
      ...serviceAccountRoutes,
      ...scopeRoutes(listRoutes),
      ...secondFactorRoutes,
      ...workspaceRoutes,
      ...availabilityRoutes,
    ],
    sealed: [sealedSecondFactors],
    crons: identityCrons,
    search: identitySearch,
    bootstrap: identityBootstrap,
  })
