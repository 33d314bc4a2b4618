/**
 * A plot of a few series: lines over time, or bars of one series. Colours are tokens, and each series has its own dashes.
 * The cursor is a slider for screen readers and keys; the same values are in the table below.
 */
import { type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import { formatNumber } from '../i18n/format.ts'
import { Button } from '../ui/controls/button.tsx'
import styles from './plot.module.css'
import { findNearest, listTicks, pickLabels } from './scale.ts'
import { texts } from './texts.ts'
import { type Cursor, useCursor } from './use-cursor.ts'

export interface Series {
  label: string
  tone: 'accent' | 'success' | 'danger' | 'text-muted'
  dashes?: string
  values: readonly (number | null)[]
}

export interface PlotProps {
  label: string
  kind: 'line' | 'bar'
  /** Rising; undefined: evenly spread. */
  xs?: readonly number[]
  names: readonly string[]
  series: readonly Series[]
  format?: (value: number) => string
  /** Returns the unit of which the labels of the axis are multiples. */
  getUnit?: (max: number) => number
}

const height = 200
const margin = { left: 56, right: 8, top: 8, bottom: 24 }

function useWidth() {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)))
    observer.observe(frame.current!)
    return () => observer.disconnect()
  }, [])
  return { frame, width }
}

export function Plot({ label, kind, xs, names, series, format = formatNumber, getUnit }: PlotProps) {
  const { frame, width } = useWidth()
  const hintId = useId()
  const all = xs ?? names.map((_, position) => position)
  const positions = useRef<readonly number[]>([])
  const locate = (event: PointerEvent) =>
    findNearest(positions.current, event.clientX - frame.current!.getBoundingClientRect().left)
  const cursor = useCursor(names.length, locate)
  positions.current = toPositions(all, cursor, kind, width)
  const { at } = cursor
  const describe = (position: number) =>
    [
      names[position],
      ...series.map(item => `${item.label}: ${formatValue(item.values[position], format)}`),
    ].join(', ')
  return (
    <div className={styles.plot}>
      <Legend series={series} at={at} name={at === undefined ? undefined : names[at]} format={format} />
      <div
        ref={frame}
        className={styles.frame}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-describedby={hintId}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, names.length - 1)}
        aria-valuenow={at ?? 0}
        aria-valuetext={names.length === 0 ? '–' : describe(at ?? 0)}
        {...cursor.handlers}
      >
        {width > 0 && (
          <Drawing
            kind={kind}
            xs={positions.current}
            names={names}
            series={series}
            cursor={cursor}
            width={width}
            format={format}
            getUnit={getUnit}
          />
        )}
      </div>
      <p id={hintId} className={styles.hint}>
        {texts().keys}
      </p>
      {cursor.isZoomed && <Button onClick={cursor.reset}>{texts().showAll}</Button>}
    </div>
  )
}

const formatValue = (value: number | null | undefined, format: (value: number) => string) =>
  typeof value === 'number' ? format(value) : '–'

/** Positions outside the shown range are outside the drawing. */
function toPositions(xs: readonly number[], { from, to }: Cursor, kind: string, width: number): number[] {
  const inner = Math.max(1, width - margin.left - margin.right)
  const pad = kind === 'bar' ? inner / (2 * Math.max(1, to - from + 1)) : 0
  const [first, last] = [xs[from] ?? 0, xs[to] ?? 1]
  const span = last - first
  return xs.map(
    x => margin.left + pad + (span === 0 ? (inner - 2 * pad) / 2 : ((x - first) / span) * (inner - 2 * pad)),
  )
}

interface LegendProps {
  series: readonly Series[]
  at: number | undefined
  name: string | undefined
  format: (value: number) => string
}

function Legend({ series, at, name, format }: LegendProps) {
  return (
    <ul className={styles.legend} aria-hidden="true">
      {series.map(({ label, tone, dashes, values }) => (
        <li key={label}>
          <svg width="24" height="8" aria-hidden="true">
            <line
              className={styles.line}
              style={{ stroke: `var(--${tone})` }}
              strokeDasharray={dashes}
              x1="0"
              x2="24"
              y1="4"
              y2="4"
            />
          </svg>
          {label}
          {at !== undefined && <strong>{formatValue(values[at], format)}</strong>}
        </li>
      ))}
      {name !== undefined && <li className={styles.at}>{name}</li>}
    </ul>
  )
}

interface DrawingProps {
  kind: 'line' | 'bar'
  /** In pixels. */
  xs: readonly number[]
  names: readonly string[]
  series: readonly Series[]
  cursor: Cursor
  width: number
  format: (value: number) => string
  getUnit: PlotProps['getUnit']
}

function Drawing({ kind, xs, names, series, cursor, width, format, getUnit }: DrawingProps) {
  const { from, to, at, anchor } = cursor
  const shown = series.flatMap(({ values }) => values.slice(from, to + 1))
  const max = Math.max(0, ...shown.map(value => value ?? 0))
  const ticks = listTicks(max, getUnit?.(max))
  const bottom = height - margin.bottom
  const toY = (value: number) => bottom - (value / ticks.at(-1)!) * (bottom - margin.top)
  const labels = pickLabels(to - from + 1, Math.max(2, Math.floor(width / 96))).map(n => n + from)
  return (
    <svg className={styles.drawing} width={width} height={height} aria-hidden="true">
      {ticks.map(tick => (
        <g key={tick}>
          <line
            className={styles.grid}
            x1={margin.left}
            x2={width - margin.right}
            y1={toY(tick)}
            y2={toY(tick)}
          />
          <text x={margin.left - 8} y={toY(tick) + 4} textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {names.length > 0 &&
        labels.map(position => (
          <text
            key={position}
            x={xs[position]}
            y={height - 6}
            textAnchor={toAnchor(position, from, to, kind)}
          >
            {names[position]}
          </text>
        ))}
      {kind === 'line'
        ? series.map(item => <Line key={item.label} item={item} xs={xs} from={from} to={to} toY={toY} />)
        : series.map(item => <Bars key={item.label} item={item} xs={xs} from={from} to={to} toY={toY} />)}
      {anchor !== undefined && at !== undefined && (
        <rect
          className={styles.selection}
          x={Math.min(xs[anchor]!, xs[at]!)}
          y={margin.top}
          width={Math.abs(xs[anchor]! - xs[at]!)}
          height={bottom - margin.top}
        />
      )}
      {at !== undefined && (
        <line className={styles.cursor} x1={xs[at]} x2={xs[at]} y1={margin.top} y2={bottom} />
      )}
    </svg>
  )
}

function toAnchor(position: number, from: number, to: number, kind: string): 'start' | 'middle' | 'end' {
  if (kind === 'bar' || from === to) return 'middle'
  return position === from ? 'start' : position === to ? 'end' : 'middle'
}

interface ShapeProps {
  item: Series
  xs: readonly number[]
  from: number
  to: number
  toY: (value: number) => number
}

/** A single point has a mark: a line of one point is invisible. */
function Line({ item: { values, tone, dashes }, xs, from, to, toY }: ShapeProps) {
  const points = values
    .map((value, position) => ({ value, position }))
    .filter(({ value, position }) => value !== null && position >= from && position <= to)
    .map(({ value, position }) => `${xs[position]!.toFixed(1)},${toY(value!).toFixed(1)}`)
  if (points.length === 1) {
    const [cx, cy] = points[0]!.split(',')
    return <circle style={{ fill: `var(--${tone})` }} cx={cx} cy={cy} r="3" />
  }
  return (
    <polyline
      className={styles.line}
      style={{ stroke: `var(--${tone})` }}
      strokeDasharray={dashes}
      points={points.join(' ')}
    />
  )
}

function Bars({ item: { values, tone }, xs, from, to, toY }: ShapeProps) {
  const gap = to > from ? xs[from + 1]! - xs[from]! : 64
  const size = Math.max(2, Math.min(48, gap * 0.7))
  return values.map((value, position) =>
    value === null || position < from || position > to ? null : (
      <rect
        // biome-ignore lint/suspicious/noArrayIndexKey: bars have no identity
        key={position}
        style={{ fill: `var(--${tone})` }}
        x={xs[position]! - size / 2}
        y={toY(value)}
        width={size}
        height={toY(0) - toY(value)}
      />
    ),
  )
}
