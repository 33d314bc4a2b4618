import Type from 'typebox'
import { violation } from '../../../platform/errors.ts'
import { object } from '../../../platform/http/schemas.ts'
import { findExpressionError } from '../../expressions/expressions.ts'
import { Expression } from '../flow/cases.ts'
import { exactlyOneViolations, placeholderViolations, VariableName } from '../node-fields.ts'
import { defineNode, type Json } from '../node-type.ts'

export const setVariable = defineNode({
  type: 'setVariable',
  summary: 'Store a value in a variable of the run',
  docs: `\`value\` is any JSON, with placeholders filled in its texts; \`expression\` is CEL, and its result keeps its type. Later
nodes read the variable as \`{{variables.name}}\`.`,
  data: object({
    name: VariableName,
    value: Type.Optional(Type.Unknown()),
    expression: Type.Optional(Expression),
  }),
  example: { name: 'total', expression: 'event.data.price * event.data.quantity' },
  expressions: ({ expression }) =>
    expression === undefined ? [] : [{ path: 'expression', expression, isCondition: false }],
  sets: ({ name }) => [name],
  violations: given => {
    const fault = given.expression === undefined ? undefined : findExpressionError(given.expression)
    return [
      ...exactlyOneViolations(given, ['value', 'expression']),
      ...placeholderViolations(given.value, 'value'),
      ...(fault ? [violation('expression', 'invalid_expression', fault)] : []),
    ]
  },
  run: async step => {
    const { name, value, expression } = step.data
    const result =
      expression === undefined ? await step.interpolate(value as Json) : await step.evaluate(expression)
    step.setVariable(name, result)
    return { to: 'next', detail: { value: result } }
  },
})
