/** Worker thread that evaluates one expression or pattern at a time for `evaluation.ts`. */
import { parentPort } from 'node:worker_threads'
import type { EvaluationReply, EvaluationRequest } from './evaluation.ts'
import { BudgetExceeded, evaluateExpression, maxSteps } from './expressions.ts'
import { matchesPattern } from './regex.ts'

function evaluate(request: EvaluationRequest): EvaluationReply {
  try {
    if ('pattern' in request) return { value: matchesPattern(request.pattern, request.text) }
    return { value: evaluateExpression(request.expression, request.scope, maxSteps) }
  } catch (error) {
    return { error: (error as Error).message, exceeded: error instanceof BudgetExceeded }
  }
}

parentPort!.on('message', (request: EvaluationRequest) => parentPort!.postMessage(evaluate(request)))
parentPort!.postMessage('ready')
