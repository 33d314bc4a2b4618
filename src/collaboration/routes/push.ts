import { everyone } from '../../identity/rights/roles.ts'
import { fail } from '../../platform/errors.ts'
import { section } from '../../platform/http/route.ts'
import { AnyId, object } from '../../platform/http/schemas.ts'
import { PushSubscriptionNotFound } from '../errors.ts'
import { NewPushSubscription, PushSubscriptions } from '../push/schemas.ts'
import { subscribe, viewSubscriptions } from '../push/subscriptions.ts'
import { deleteSubscription } from '../store/push-subscriptions.ts'

const route = section('Notifications', { extension: true })
const read = { scopes: ['user:read_self'], roles: everyone, userOnly: true }
const update = { scopes: ['user:update_self'], roles: everyone, userOnly: true }

export const pushRoutes = [
  route('GET /users/me/push-subscriptions', {
    operationId: 'listPushSubscriptions',
    summary: 'List the browsers that receive your notifications',
    description: 'Has the public key that a browser needs to subscribe.',
    access: read,
    success: { status: 200, body: PushSubscriptions },
    handle: context => viewSubscriptions(context, context.caller),
  }),
  route('POST /users/me/push-subscriptions', {
    operationId: 'createPushSubscription',
    summary: 'Receive notifications in a browser by Web Push',
    description:
      'Takes the subscription that the browser made with the public key; the same endpoint again replaces it. Pushes have the ids of a notification only. They end with your session, and when the push service says that the browser has unsubscribed. At most 20; the oldest is removed.',
    access: update,
    body: NewPushSubscription,
    example: {
      endpoint: 'https://push.example.com/send/f3b1',
      keys: {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      },
    },
    success: { status: 201, body: object({ id: AnyId }) },
    handle: context => context.write(tx => subscribe(tx, context, context.caller, context.body)),
  }),
  route('DELETE /users/me/push-subscriptions/{id}', {
    operationId: 'deletePushSubscription',
    summary: 'Stop pushing notifications to a browser',
    description: 'The browser keeps its subscription at the push service until it unsubscribes.',
    access: update,
    success: { status: 204 },
    errors: [PushSubscriptionNotFound],
    handle: ({ write, caller, params }) =>
      write(async tx => {
        const recipient = { tenantId: caller.tenantId, userId: caller.id }
        if (!(await deleteSubscription(tx, recipient, params.id))) fail(PushSubscriptionNotFound)
      }),
  }),
]
