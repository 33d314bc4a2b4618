/**
 * The script of the reference. It starts Swagger UI, and when a reader with a key opens an operation, it fills the
 * parameters and the example of the body with ids of the reader's workspace: the first item of the list that the document
 * names in `x-source`. A value that the reader typed stays.
 */
import type { ValueSource } from '../../platform/http/openapi/parameters.ts'

export function buildStartScript(exampleIds: Readonly<Record<string, ValueSource>>): string {
  return `const exampleIds = ${JSON.stringify(exampleIds)}\n${script}`
}

const script = String.raw`
const exampleId = /\b([a-z]+)_01[0-9a-hjkmnp-tv-z]{24}\b/g
const opened = new Set()
let paths

function fillWhenOpened() {
  const show = (original, system) => (thing, isShown) => {
    const result = original(thing, isShown)
    if (isShown && thing[0] === 'operations') {
      opened.add(thing[2])
      fillOrReport(system, thing[2])
    }
    return result
  }
  const authorize = (original, system) => payload => {
    const result = original(payload)
    for (const operationId of opened) fillOrReport(system, operationId)
    return result
  }
  return { statePlugins: { layout: { wrapActions: { show } }, auth: { wrapActions: { authorize } } } }
}

function fillOrReport(system, operationId) {
  fill(system, operationId).catch(error => console.warn('ids were not filled in', error))
}

async function fill(system, operationId) {
  const token = system.authSelectors.authorized().getIn(['bearerAuth', 'value'])
  paths ??= system.specSelectors.specJson().toJS().paths
  const target = findOperation(operationId)
  if (!token || !target) return
  const { path, method, operation } = target
  if (method === 'delete' || operation['x-prefill'] === false) return
  const finder = createFinder(token, path, operation)
  const change = ({ name, in: place }, value) => {
    if (value) system.specActions.changeParam([path, method], name, place, value, false)
  }
  const url = await finder.expand(path)
  for (const parameter of operation.parameters) {
    if (parameter.in === 'path') change(parameter, finder.known(parameter.name))
    else if (parameter['x-source']) change(parameter, await finder.pick(parameter['x-source']))
    else if (parameter.name === 'If-Match' && url) change(parameter, (await finder.read(url)).etag)
  }
  const example = operation.requestBody?.content['application/json']?.example
  const ids = new Map()
  for (const [id, prefix] of JSON.stringify(example ?? null).matchAll(exampleId))
    if (exampleIds[prefix] && !ids.has(id)) ids.set(id, await finder.pick(exampleIds[prefix]))
  if (ids.size === 0) return
  const body = system.oas3Selectors.requestBodyValue(path, method) ?? JSON.stringify(example, null, 2)
  const value = body.replace(exampleId, id => ids.get(id) ?? id)
  system.oas3Actions.setRequestBodyValue({ value, pathMethod: [path, method] })
}

function findOperation(operationId) {
  for (const [path, item] of Object.entries(paths))
    for (const [method, operation] of Object.entries(item))
      if (operation.operationId === operationId) return { path, method, operation }
}

/** Finds ids for one operation, each at most once: two contacts to merge differ. */
function createFinder(token, ownPath, ownOperation) {
  const found = new Map()
  const used = new Set()

  async function read(url) {
    const response = await fetch('/v1' + url, { headers: { authorization: 'Bearer ' + token } })
    return { etag: response.headers.get('etag'), body: response.ok ? await response.json() : {} }
  }

  async function pick({ path, member = 'id', prefer = {} }) {
    const url = await expand(path)
    if (!url) return
    const isPaged = paths[path].get.parameters.some(({ name }) => name === 'pageSize')
    const { body } = await read(url + (isPaged ? '?pageSize=20' : ''))
    const items = (Object.values(body).find(Array.isArray) ?? []).filter(item => !used.has(item[member]))
    const isPreferred = item => Object.entries(prefer).every(([name, value]) => item[name] === value)
    const value = (items.find(isPreferred) ?? items[0])?.[member]
    used.add(value)
    return value
  }

  /** Replaces the parameters of a path by ids; returns undefined if one has none. */
  async function expand(path) {
    let template = ''
    const parts = []
    for (const part of path.split('/').slice(1)) {
      template += '/' + part
      if (part.startsWith('{') && !found.has(template)) found.set(template, await pickFor(template, part.slice(1, -1)))
      parts.push(part.startsWith('{') ? found.get(template) : part)
    }
    return parts.includes(undefined) ? undefined : '/' + parts.join('/')
  }

  async function pickFor(template, name) {
    const parameter = findParameter(template, name)
    return parameter?.['x-source'] ? pick(parameter['x-source']) : parameter?.example
  }

  function findParameter(template, name) {
    const below = Object.entries(paths).filter(([path]) => (path + '/').startsWith(template + '/'))
    const operations = below.flatMap(([, item]) => Object.values(item))
    if ((ownPath + '/').startsWith(template + '/')) operations.unshift(ownOperation)
    return operations[0]?.parameters.find(parameter => parameter.in === 'path' && parameter.name === name)
  }

  const known = name => found.get(ownPath.slice(0, ownPath.indexOf('{' + name + '}') + name.length + 2))
  return { read, pick, expand, known }
}

SwaggerUIBundle({ url: '/v1/openapi.json', dom_id: '#reference', deepLinking: true, filter: true, docExpansion: 'none',
  persistAuthorization: true, tryItOutEnabled: true, validatorUrl: null, plugins: [fillWhenOpened] })
`
