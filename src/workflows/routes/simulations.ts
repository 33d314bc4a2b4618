import { ContactNotFound, ContactPhoneTaken } from '../../contacts/errors.ts'
import { type Context, route } from '../../platform/http/route.ts'
import { IdPath } from '../../platform/http/schemas.ts'
import { checkPublishable } from '../definition/validation.ts'
import { ChatbotNotFound, ChatbotNotPublished, JourneyNotFound, JourneyNotPublished } from '../errors.ts'
import type { WorkflowKind } from '../nodes/node-type.ts'
import { Simulation, SimulationRequest } from '../simulation/schemas.ts'
import { simulate } from '../simulation/simulation.ts'
import { getWorkflow } from '../workflows.ts'

const access = { scopes: ['journey:read'], roles: ['owner', 'admin', 'agent'] } as const

async function play(
  context: Context<typeof IdPath, undefined, typeof SimulationRequest>,
  kind: WorkflowKind,
): Promise<Simulation> {
  const { db, caller, params, body } = context
  const workflow = await getWorkflow(db, caller.tenantId, kind, params.id)
  if (body.version !== 'published') await checkPublishable(context, workflow)
  return simulate(context, caller, workflow, body)
}

export const simulationRoutes = [
  route({
    method: 'POST',
    path: '/journeys/{id}/simulate',
    tag: 'Journeys',
    summary: 'Play a journey through on a clock of its own; nothing is sent and nothing stays',
    access,
    extension: true,
    params: IdPath,
    body: SimulationRequest,
    bodyOptional: true,
    success: { status: 200, body: Simulation },
    errors: [JourneyNotFound, JourneyNotPublished, ContactNotFound, ContactPhoneTaken],
    handle: context => play(context, 'journey'),
  }),
  route({
    method: 'POST',
    path: '/chatbots/{id}/simulate',
    tag: 'Chatbots',
    summary: 'Play a conversation with a chatbot through; nothing is sent and nothing stays',
    access,
    extension: true,
    params: IdPath,
    body: SimulationRequest,
    bodyOptional: true,
    success: { status: 200, body: Simulation },
    errors: [ChatbotNotFound, ChatbotNotPublished, ContactNotFound, ContactPhoneTaken],
    handle: context => play(context, 'chatbot'),
  }),
]
