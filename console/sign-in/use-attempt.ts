/** Runs the request of a form: busy while it runs, the error afterwards, and a countdown when there were too many. */
import { useEffect, useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { texts } from './texts.ts'

export function useAttempt() {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<ApiError>()
  const [waitSeconds, setWait] = useState(0)
  useEffect(() => {
    if (waitSeconds <= 0) return
    const timer = setTimeout(() => setWait(waitSeconds - 1), 1_000)
    return () => clearTimeout(timer)
  }, [waitSeconds])
  /** Returns the problem if the request failed. */
  const attempt = async (work: () => Promise<void>): Promise<ApiError | undefined> => {
    setBusy(true)
    setError(undefined)
    try {
      await work()
      return undefined
    } catch (cause) {
      const problem = ApiError.from(cause)
      setError(problem)
      if (problem.status === 429) setWait(problem.retryAfterSeconds ?? 30)
      return problem
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, error, waitSeconds, attempt, setError }
}

/** The text after too many attempts. */
export const describeWait = (seconds: number): string =>
  seconds > 0 ? texts().tooManyAttempts(seconds) : texts().tryAgainNow
