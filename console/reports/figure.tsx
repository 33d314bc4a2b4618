/** A figure of a report by group: a plot of its first column with a table of all of them, or a table with bars. */
import { BarTable, DataTable, type TableProps } from '../plot/data-table.tsx'
import { Plot, type PlotProps } from '../plot/plot.tsx'
import styles from './reports.module.css'

/** Groups with names, such as people, are in a table: their names have no place below a plot. */
export type Kind = PlotProps['kind'] | 'table'

interface FigureProps extends Pick<TableProps, 'xLabel' | 'rows' | 'columns'> {
  title: string
  kind: Kind
  getUnit?: PlotProps['getUnit']
}

export function Figure({ title, kind, getUnit, ...table }: FigureProps) {
  const { label, values, format } = table.columns[0]!
  return (
    <section className={styles.figure} aria-label={title}>
      <h3>{title}</h3>
      {kind === 'table' ? (
        <BarTable label={title} {...table} />
      ) : (
        <>
          <Plot
            label={title}
            kind={kind}
            names={table.rows}
            series={[{ label, tone: 'accent', values }]}
            format={format}
            getUnit={getUnit}
          />
          <DataTable label={title} {...table} />
        </>
      )}
    </section>
  )
}
