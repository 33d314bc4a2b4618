/**
 * Evaluates the subset of PromQL that deploy/alerts.yml uses, on pages that were scraped at given times: selectors with
 * equal labels, `rate` over five minutes, `sum`, `max` and `min` with `by`, `histogram_quantile`, `/`, `or`, comparisons
 * with a number.
 */
export interface Scrape {
  /** Seconds. */
  at: number
  /** The text of /metrics; undefined if the process did not answer. */
  page: string | undefined
}

interface Sample {
  labels: Record<string, string>
  value: number
}

const rangeSeconds = 300

type NamedSample = Sample & { name: string }
const parsedPages = new Map<string, NamedSample[]>()

function parsePage(page: string): NamedSample[] {
  const parsed = parsedPages.get(page) ?? parseSamples(page)
  parsedPages.set(page, parsed)
  return parsed
}

function parseSamples(page: string): NamedSample[] {
  return [...page.matchAll(/^(\w+)(?:\{(.*?)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="(.*?)"/g)].map(match => [match[1]!, match[2]!])),
    value: Number(value),
  }))
}

function select(scrape: Scrape, name: string, wanted: Record<string, string>): Sample[] {
  if (name === 'up') return [{ labels: { job: 'parley' }, value: scrape.page === undefined ? 0 : 1 }]
  return parsePage(scrape.page ?? '')
    .filter(sample => sample.name === name)
    .map((sample): Sample => ({ ...sample, labels: { ...sample.labels, job: 'parley' } }))
    .filter(({ labels }) => Object.entries(wanted).every(([key, value]) => labels[key] === value))
}

const toKey = (labels: Record<string, string>) => JSON.stringify(Object.entries(labels).sort())

/** Splits an expression into names, numbers, texts and signs. */
const tokenize = (text: string): string[] =>
  text.match(/"[^"]*"|\[5m\]|[A-Za-z_]\w*|\d+(?:\.\d+)?(?:e\d+)?|==|[(){},=/><]/g) ?? []

/** Returns the samples for which the expression holds at the time of the last scrape. */
export function evaluate(expression: string, scrapes: readonly Scrape[]): Sample[] {
  const tokens = tokenize(expression)
  const last = scrapes.at(-1)!
  const first = scrapes.find(({ at }) => at >= last.at - rangeSeconds)!
  const peek = (): string | undefined => tokens[0]
  const take = (expected?: string): string => {
    const token = tokens.shift()
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new Error(`expected ${expected ?? 'more'} instead of ${token} in ${expression}`)
    return token
  }

  function parseOr(): Sample[] {
    const left = parseComparison()
    if (peek() !== 'or') return left
    take()
    const right = parseOr()
    return left.length > 0 ? left : right
  }

  function parseComparison(): Sample[] {
    const left = parseQuotient()
    const sign = peek()
    if (sign !== '>' && sign !== '<' && sign !== '==') return left
    take()
    const limit = Number(take())
    const holds = {
      '>': (n: number) => n > limit,
      '<': (n: number) => n < limit,
      '==': (n: number) => n === limit,
    }
    return left.filter(({ value }) => holds[sign](value))
  }

  function parseQuotient(): Sample[] {
    const left = parseTerm()
    if (peek() !== '/') return left
    take()
    const right = new Map(parseTerm().map(sample => [toKey(sample.labels), sample.value]))
    return left.flatMap(({ labels, value }) => {
      const divisor = right.get(toKey(labels))
      return divisor === undefined ? [] : [{ labels, value: value / divisor }]
    })
  }

  function parseTerm(): Sample[] {
    const name = take()
    if (name === 'sum' || name === 'max' || name === 'min') return aggregate(name)
    if (name === 'rate') return inParentheses(() => parseSelector(take(), true))
    if (name === 'histogram_quantile') return parseQuantile()
    return parseSelector(name, false)
  }

  function inParentheses<T>(parse: () => T): T {
    take('(')
    const result = parse()
    take(')')
    return result
  }

  function aggregate(kind: 'sum' | 'max' | 'min'): Sample[] {
    const by: string[] = []
    if (peek() === 'by') {
      take()
      inParentheses(() => {
        do by.push(take())
        while (peek() === ',' && take())
      })
    }
    const groups = new Map<string, { labels: Record<string, string>; values: number[] }>()
    for (const { labels, value } of inParentheses(parseOr)) {
      const kept = Object.fromEntries(by.map(name => [name, labels[name] ?? '']))
      const group = groups.get(toKey(kept)) ?? { labels: kept, values: [] }
      group.values.push(value)
      groups.set(toKey(kept), group)
    }
    const combine = {
      sum: (values: number[]) => values.reduce((a, b) => a + b, 0),
      max: (values: number[]) => Math.max(...values),
      min: (values: number[]) => Math.min(...values),
    }[kind]
    return [...groups.values()].map(({ labels, values }) => ({ labels, value: combine(values) }))
  }

  function parseSelector(name: string, isRate: boolean): Sample[] {
    const wanted: Record<string, string> = {}
    if (peek() === '{') {
      take()
      while (peek() !== '}') {
        const label = take()
        take('=')
        wanted[label] = take().slice(1, -1)
        if (peek() === ',') take()
      }
      take('}')
    }
    if (!isRate) return select(last, name, wanted)
    take('[5m]')
    const before = new Map(select(first, name, wanted).map(sample => [toKey(sample.labels), sample.value]))
    const seconds = Math.max(1, last.at - first.at)
    return select(last, name, wanted).map(({ labels, value }) => ({
      labels,
      value: (value - (before.get(toKey(labels)) ?? 0)) / seconds,
    }))
  }

  /** Interpolates within the bucket, as Prometheus does. */
  function parseQuantile(): Sample[] {
    take('(')
    const quantile = Number(take())
    take(',')
    const buckets = parseOr()
      .map(({ labels, value }) => ({ bound: Number(labels.le!.replace('+Inf', 'Infinity')), value }))
      .sort((a, b) => a.bound - b.bound)
    take(')')
    const total = buckets.at(-1)?.value ?? 0
    if (total === 0) return []
    const i = buckets.findIndex(({ value }) => value >= quantile * total)
    const { bound, value } = buckets[i]!
    const [low, below] = i === 0 ? [0, 0] : [buckets[i - 1]!.bound, buckets[i - 1]!.value]
    if (bound === Number.POSITIVE_INFINITY) return [{ labels: {}, value: low }]
    return [{ labels: {}, value: low + ((bound - low) * (quantile * total - below)) / (value - below) }]
  }

  const result = parseOr()
  if (tokens.length > 0) throw new Error(`cannot read ${tokens.join(' ')} in ${expression}`)
  return result
}
