import Type from 'typebox'
import { bootstrapPart } from '../platform/contributions/bootstrap.ts'
import { domain } from '../platform/domain.ts'
import { cron } from '../platform/jobs/cron.ts'
import { sealedCredentials } from './accounts/accounts.ts'
import {
  registerInboxWebhook,
  reregisterChanged,
  verifyInboxWebhook,
  verifyRegistrations,
} from './accounts/webhook-registration.ts'
import { inboxToApi, recheckInbox } from './health.ts'
import { catalogueRoutes } from './routes/catalogue.ts'
import { handshakeRoutes } from './routes/handshake.ts'
import { inboxRoutes } from './routes/inboxes.ts'
import { Inbox } from './schemas.ts'
import { deleteExpired } from './store/credentials.ts'
import { listInboxes } from './store/inboxes.ts'

export const inboxes = domain({
  routes: [...inboxRoutes, ...catalogueRoutes, ...handshakeRoutes],
  jobs: [registerInboxWebhook, verifyInboxWebhook, recheckInbox],
  sealed: sealedCredentials,
  crons: [
    cron({ name: 'inboxes.reregister_webhooks', schedule: '*/15 * * * *', handle: reregisterChanged }),
    cron({ name: 'inboxes.verify_webhooks', schedule: '7-59/15 * * * *', handle: verifyRegistrations }),
    cron({
      name: 'inboxes.purge_pending_credentials',
      schedule: '* * * * *',
      handle: ({ db, clock }) => deleteExpired(db, clock.now().toISOString()),
    }),
  ],
  bootstrap: [
    bootstrapPart({
      name: 'inboxes',
      scope: 'inbox:list',
      schema: Type.Array(Inbox),
      load: async ({ db }, { tenantId }) => (await listInboxes(db, tenantId)).map(inboxToApi),
    }),
  ],
})
