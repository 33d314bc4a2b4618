/** Says how a simulation differs from its case, with the steps named as on the canvas. */
import { type Definition, findNode, findOutputTitle } from '../model/definition.ts'
import { texts as runTexts } from '../runs/texts.ts'
import { nameNode, nameOutput } from '../texts.ts'
import type { CaseDifference } from './cases.ts'
import { nameStep } from './setup-form.tsx'
import { texts } from './texts.ts'

type Expectation = CaseDifference['expected']

/** A step that was deleted since has no other name than its id. */
function describeExpectation(item: Expectation, definition: Definition): string {
  if (item === undefined || item === null) return '–'
  if (typeof item === 'boolean') return item ? texts().enters : texts().entersNot
  if (typeof item === 'string') return runTexts().ends[item] ?? item
  const node = findNode(definition, item.nodeId)
  const step = node ? nameStep(node) : item.nodeId
  if ('effect' in item) return `${texts().effects[item.effect] ?? nameNode(item.effect)} (${step})`
  if (item.output === null) return step
  const title = node && findOutputTitle(node, item.output)
  return `${step} (${title ?? runTexts().ends[item.output] ?? nameOutput(item.output)})`
}

export function describeDifference(
  { what, expected, actual }: CaseDifference,
  definition: Definition,
): string {
  const [left, right] = [expected, actual].map(item => describeExpectation(item, definition))
  return texts().differs(texts().parts[what], left!, right!)
}
