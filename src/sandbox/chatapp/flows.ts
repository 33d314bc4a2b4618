/** Flows of every business account, with the definitions of the published ones. */
import { type EdgeHandler, ok, respondWithPage, unknownObject } from '../graph/graph.ts'
import { hashDigits } from '../identifiers.ts'

/** A value that the sender of the flow gives. */
const toGiven = (name: string) => `\${data.${name}}`
const footer = (label: string, next?: string) => ({
  type: 'Footer',
  label,
  'on-click-action': next
    ? { name: 'navigate', next: { type: 'screen', name: next }, payload: {} }
    : { name: 'complete', payload: {} },
})
const options = (...titles: string[]) => titles.map((title, i) => ({ id: String(i), title }))
const layout = (...children: object[]) => ({ type: 'SingleColumnLayout', children })
const form = (...children: object[]) => ({ type: 'Form', name: 'form', children })

const feedback = {
  version: '7.0',
  screens: [
    {
      id: 'RATE',
      title: 'Your opinion',
      data: { order: { type: 'string', __example__: 'ORD-4711' } },
      layout: layout(
        { type: 'TextHeading', text: 'How did we do?' },
        { type: 'TextBody', text: `Describe your order ${toGiven('order')}.` },
        form(
          {
            type: 'RadioButtonsGroup',
            name: 'rating',
            label: 'Rating',
            required: true,
            'data-source': options('Very good', 'Good', 'Not good'),
          },
          { type: 'TextArea', name: 'comment', label: 'Comment', 'helper-text': 'What could be better?' },
          footer('Continue', 'THANKS'),
        ),
      ),
    },
    {
      id: 'THANKS',
      title: 'Thank you',
      terminal: true,
      data: {},
      layout: layout(
        { type: 'TextBody', text: 'Your answer helps us to become better.' },
        { type: 'OptIn', name: 'contact', label: 'You may ask me about it' },
        footer('Done'),
      ),
    },
  ],
}

const appointment = {
  version: '7.0',
  screens: [
    {
      id: 'APPOINTMENT',
      title: 'Book an appointment',
      data: {
        places: { type: 'array', items: {}, __example__: options('Harbor street', 'Main station') },
        hasRemote: { type: 'boolean', __example__: true },
      },
      layout: layout(
        form(
          {
            type: 'Dropdown',
            name: 'place',
            label: 'Place',
            required: true,
            'data-source': toGiven('places'),
          },
          { type: 'DatePicker', name: 'day', label: 'Day', required: true },
          {
            type: 'If',
            condition: toGiven('hasRemote'),
            // biome-ignore lint/suspicious/noThenProperty: the syntax of flows
            then: [{ type: 'TextCaption', text: 'A call is possible too.' }],
          },
          { type: 'TextInput', name: 'name', label: 'Name', required: true },
          footer('Book'),
        ),
      ),
      terminal: true,
    },
  ],
}

export const flows: { name: string; status: string; categories: string[]; definition?: object }[] = [
  { name: 'Feedback', status: 'PUBLISHED', categories: ['SURVEY'], definition: feedback },
  {
    name: 'Book an appointment',
    status: 'PUBLISHED',
    categories: ['APPOINTMENT_BOOKING'],
    definition: appointment,
  },
  { name: 'Sign up (draft)', status: 'DRAFT', categories: ['SIGN_UP'] },
  { name: 'Old survey', status: 'DEPRECATED', categories: ['SURVEY'] },
]

const toId = (waba: string, name: string) => hashDigits(`${waba}/flow/${name}`, 16, '8')

export const listFlows: EdgeHandler = (_context, waba, request, token) => {
  const all = flows.map(({ definition: _, ...flow }) => ({
    id: toId(waba, flow.name),
    ...flow,
    validation_errors: [],
  }))
  return respondWithPage(request, all, { maxSize: 1000, token, path: `${waba}/flows` }, flow => flow)
}

/** Finds the definition of a flow of any business account with a number. */
function findDefinition(context: Parameters<EdgeHandler>[0], id: string): object {
  for (const [, { waba }] of context.registry.entries<{ waba: string }>('chatapp/number/')) {
    const flow = flows.find(({ name }) => toId(waba, name) === id)
    if (flow?.definition) return flow.definition
  }
  throw unknownObject(id)
}

export const listFlowAssets: EdgeHandler = (context, id, request, token) => {
  findDefinition(context, id)
  const asset = {
    name: 'flow.json',
    asset_type: 'FLOW_JSON',
    download_url: `${request.base}/${id}/flow.json`,
  }
  return respondWithPage(request, [asset], { maxSize: 100, token, path: `${id}/assets` }, one => one)
}

export const getFlowDefinition: EdgeHandler = (context, id) => ok(findDefinition(context, id))
