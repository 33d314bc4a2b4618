import { domain } from '../platform/domain.ts'
import { sealedSecondFactors } from './auth/second-factor.ts'
import { identityCrons } from './jobs.ts'
import { authRoutes } from './routes/auth.ts'
import { secondFactorRoutes } from './routes/second-factor.ts'
import { serviceAccountRoutes } from './routes/service-accounts.ts'
import { teamRoutes } from './routes/teams.ts'
import { userRoutes } from './routes/users.ts'

export const identity = domain({
  routes: [...authRoutes, ...userRoutes, ...teamRoutes, ...serviceAccountRoutes, ...secondFactorRoutes],
  sealed: [sealedSecondFactors],
  crons: identityCrons,
})
