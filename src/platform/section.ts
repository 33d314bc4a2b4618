/**
 * Declares the documented routes of one section of the API document:
 * `const route = section('Contacts')`, then `route('GET /contacts/{id}', { operationId: 'getContact', … })`.
 */
import type { TObject, TSchema, TString } from 'typebox'
import type { OperationDoc } from './http/openapi/operation.ts'
import { type Route, type RouteSpec, route } from './http/route.ts'

type Operation = `${Route['method']} /${string}`
type ParamNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never

export type DocumentedRoute = Route & { doc: OperationDoc }

/** `common` holds for every route of the section. */
export function section(tag: string, common: { extension?: boolean } = {}) {
  return <
    const O extends Operation,
    const P extends TObject | undefined = TObject<{ [Name in ParamNames<O>]: TString }>,
    const Q extends TObject | undefined = undefined,
    const B extends TSchema | undefined = undefined,
    const R extends TSchema | undefined = undefined,
  >(
    operation: O,
    spec: Omit<RouteSpec<P, Q, B, R>, 'method' | 'path' | 'tag'> &
      Pick<OperationDoc, 'operationId' | 'example'>,
  ): DocumentedRoute => {
    const [method, path] = operation.split(' ') as [Route['method'], string]
    const { operationId, example, ...rest } = spec
    const doc = { operationId, ...(example ? { example } : {}) }
    return { ...route({ method, path, tag, ...common, ...rest } as Route), doc }
  }
}
