/**
 * Declares the routes of one section of the API document:
 * `const route = section('Contacts')`, then `route('GET /contacts/{id}', { … })`.
 */
import type { TObject, TSchema, TString } from 'typebox'
import { type Route, type RouteSpec, route } from './http/route.ts'

type Operation = `${Route['method']} /${string}`
type ParamNames<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamNames<Rest> : never

export function section(tag: string) {
  return <
    const O extends Operation,
    const P extends TObject | undefined = TObject<{ [Name in ParamNames<O>]: TString }>,
    const Q extends TObject | undefined = undefined,
    const B extends TSchema | undefined = undefined,
    const R extends TSchema | undefined = undefined,
  >(
    operation: O,
    spec: Omit<RouteSpec<P, Q, B, R>, 'method' | 'path' | 'tag'>,
  ): Route => {
    const [method, path] = operation.split(' ') as [Route['method'], string]
    return route({ method, path, tag, ...spec } as Route)
  }
}
