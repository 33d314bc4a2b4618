/** Asks for a rating when a conversation has ended. */
import { useState } from 'preact/hooks'
import { useChat } from './context.ts'
import { Icon } from './icons.tsx'

const faces = ['face1', 'face2', 'face3', 'face4', 'face5'] as const

export function Rating() {
  const { chat, state, texts } = useChat()
  const [rating, setRating] = useState(0)
  const [comment, setComment] = useState('')
  const [isThanked, setThanked] = useState(false)
  const [error, setError] = useState('')
  const { canRate, status } = state.conversation ?? {}
  if (!canRate) return isThanked && status === 'closed' ? <p class="day">{texts.thanks}</p> : null
  const submit = async (event: Event) => {
    event.preventDefault()
    try {
      await chat.rate(rating, comment.trim())
      setThanked(true)
    } catch {
      setError(texts.notSent)
    }
  }
  return (
    <form class="rating" onSubmit={submit}>
      <fieldset>
        <legend class="hidden">{texts.rate}</legend>
        <div class="faces">
          {faces.map((face, n) => (
            <label key={face} title={texts.ratings[n]}>
              <input
                type="radio"
                name="rating"
                class="hidden"
                aria-label={texts.ratings[n]}
                checked={rating === n + 1}
                onChange={() => setRating(n + 1)}
              />
              <span>
                <Icon name={face} />
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {rating > 0 && (
        <>
          <label class="comment">
            <span>
              {texts.comment} <small>{texts.optional}</small>
            </span>
            <textarea
              rows={2}
              dir="auto"
              maxLength={1000}
              value={comment}
              onInput={event => setComment(event.currentTarget.value)}
            />
          </label>
          <button type="submit" class="primary">
            {texts.submit}
          </button>
        </>
      )}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </form>
  )
}
