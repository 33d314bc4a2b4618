/** Icons as paths on a grid of 24, drawn with lines. */
const face = 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z'

const paths = {
  close: 'M6 6l12 12M18 6L6 18',
  send: 'M12 19V5M6 11l6-6 6 6',
  attach: 'M20 11.5l-8 8a5 5 0 0 1-7-7l8.5-8.5a3.3 3.3 0 0 1 4.7 4.7L9.8 17a1.6 1.6 0 0 1-2.3-2.3L15 7.5',
  emoji: `${face}M8.5 14.5a4.5 4.5 0 0 0 7 0M9 9.5h.01M15 9.5h.01`,
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  file: 'M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8l-5-5ZM14 3v5h5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  down: 'M6 9l6 6 6-6',
  link: 'M14 5h5v5M19 5l-8 8M17 14v4a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V8a1 1 0 0 1 1-1h4',
  face1: `${face}M8 17a4.5 4.5 0 0 1 8 0M8 9l2 1M16 9l-2 1`,
  face2: `${face}M9 16.5a4.5 4.5 0 0 1 6 0M9 9.5h.01M15 9.5h.01`,
  face3: `${face}M9 15.5h6M9 9.5h.01M15 9.5h.01`,
  face4: `${face}M9 15a4.5 4.5 0 0 0 6 0M9 9.5h.01M15 9.5h.01`,
  face5: `${face}M8 14a4.5 4.5 0 0 0 8 0ZM9 9.5h.01M15 9.5h.01`,
  warning: 'M12 4l9 16H3L12 4ZM12 10v4M12 17h.01',
}

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}

interface IconButtonProps {
  icon: keyof typeof paths
  label: string
  onClick(): void
  class?: string
  isDisabled?: boolean
  isExpanded?: boolean | undefined
}

export function IconButton({
  icon,
  label,
  onClick,
  class: className = '',
  isDisabled,
  isExpanded,
}: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button ${className}`}
      aria-label={label}
      title={label}
      aria-expanded={isExpanded}
      disabled={isDisabled ?? false}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
