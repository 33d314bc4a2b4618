/** Every part of the design system in every state, for development and tests. */
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import type { VListHandle } from 'virtua'
import { ApiError } from '../api/errors.ts'
import { useStore } from '../app/store.ts'
import { Count, Status } from '../ui/controls/badge.tsx'
import { Button, IconButton } from '../ui/controls/button.tsx'
import { Checkbox, Select, TextArea, TextField } from '../ui/controls/field.tsx'
import { CheckIcon, InboxIcon, MessageIcon, SendIcon, WarningIcon } from '../ui/controls/icons.tsx'
import { Keys } from '../ui/hints/keys.tsx'
import { Tooltip } from '../ui/hints/tooltip.tsx'
import { Empty, Failure, Loading } from '../ui/layout/state-view.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import { Menu } from '../ui/overlays/menu.tsx'
import { showToast } from '../ui/overlays/toasts.ts'
import { Picker } from '../ui/pickers/picker.tsx'
import { TimePicker } from '../ui/pickers/time-picker.tsx'
import { Avatar, AvatarGroup } from '../ui/pictures/avatar.tsx'
import { PictureField } from '../ui/pictures/picture-field.tsx'
import { appearance } from '../ui/styles/appearance.ts'
import { VirtualTable } from '../ui/tables/virtual-table.tsx'
import styles from './kit.module.css'

const long = 'A label that is much longer than the space that a designer would have planned for it'

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.group}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

export function KitPage() {
  const { theme, density, contrast } = useStore(appearance)
  return (
    <main className={styles.kit}>
      <h1>Kit</h1>
      <div className={styles.row}>
        <Button
          onClick={() => appearance.update(v => ({ ...v, theme: theme === 'dark' ? 'light' : 'dark' }))}
        >
          Theme: {theme}
        </Button>
        <Button
          onClick={() =>
            appearance.update(v => ({ ...v, density: density === 'compact' ? 'comfortable' : 'compact' }))
          }
        >
          Density: {density}
        </Button>
        <Button
          onClick={() =>
            appearance.update(v => ({ ...v, contrast: contrast === 'more' ? 'system' : 'more' }))
          }
        >
          Contrast: {contrast}
        </Button>
      </div>
      <Buttons />
      <Fields />
      <Overlays />
      <Small />
      <Lists />
      <States />
      <RightToLeft />
    </main>
  )
}

function Buttons() {
  return (
    <Group title="Buttons">
      {(['default', 'primary', 'danger', 'plain'] as const).map(look => (
        <div key={look} className={styles.row}>
          <Button look={look}>{look}</Button>
          <Button look={look} icon={SendIcon}>
            With icon
          </Button>
          <Button look={look} disabled>
            Disabled
          </Button>
          <Button look={look} busy>
            Busy
          </Button>
          <Button look={look}>{long}</Button>
        </div>
      ))}
      <div className={styles.row}>
        <IconButton icon={InboxIcon} label="Icon" keys="g i" />
        <IconButton icon={InboxIcon} label="Icon, disabled" disabled />
        <IconButton icon={InboxIcon} label="Icon, pressed" aria-pressed />
      </div>
    </Group>
  )
}

function Fields() {
  return (
    <Group title="Fields">
      <div className={styles.narrow}>
        <TextField label="Name" placeholder="Placeholder" />
        <TextField label="With a hint" hint="What to write here" defaultValue="Value" />
        <TextField label="With an error" error="This name is taken" defaultValue="Ana" />
        <TextField label="Disabled" disabled defaultValue="Value" />
        <TextField label="Right to left" dir="rtl" defaultValue="مرحبا بالعالم" />
        <TextArea label="Text" rows={3} defaultValue={long} />
        <Select label="Choice" defaultValue="b">
          <option value="a">First</option>
          <option value="b">Second</option>
        </Select>
        <Checkbox label="Checked" defaultChecked />
        <Checkbox label={long} />
        <Checkbox label="Disabled choice" disabled />
        <PictureField
          label="picture"
          name="Ana Lima"
          url={null}
          onUpload={async () => {}}
          onRemove={async () => {}}
        />
      </div>
    </Group>
  )
}

const items = [
  { id: 'a', label: 'Assign to me', icon: CheckIcon, keys: 'm', onSelect: () => {} },
  { id: 'b', label: 'Chosen', checked: true, onSelect: () => {} },
  { id: 'c', label: 'Delete', danger: true, group: 'More', onSelect: () => {} },
  { id: 'd', label: 'Disabled', disabled: true, onSelect: () => {} },
]

function Overlays() {
  const [isPicking, setPicking] = useState(false)
  const [isChoosing, setChoosing] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const choices = items.map(({ id, label, icon }) => ({ id, label, icon, onSelect: () => {} }))
  return (
    <Group title="Overlays">
      <div className={styles.row}>
        <Menu items={items} label="Actions">
          <Button>Open menu</Button>
        </Menu>
        <Button onClick={() => setOpen(true)}>Open dialog</Button>
        <Button onClick={() => setChoosing(true)}>Open list</Button>
        {isChoosing && (
          <Picker
            title="Choose an action"
            choices={choices}
            isMultiple
            create={{ label: text => `Create ${text}`, run: () => {} }}
            onClose={() => setChoosing(false)}
          />
        )}
        <Tooltip label="What the button does" keys="mod+k">
          <Button>With a tooltip</Button>
        </Tooltip>
        <Button onClick={() => setPicking(true)}>Open time picker</Button>
        {isPicking && (
          <TimePicker title="Snooze" onChoose={() => setPicking(false)} onClose={() => setPicking(false)} />
        )}
        <Button
          onClick={() => showToast({ text: 'Conversation closed', action: { label: 'Undo', run: () => {} } })}
        >
          Show message
        </Button>
        <Dialog title="Dialog" open={isOpen} onClose={() => setOpen(false)}>
          <p>{long}</p>
          <TextField label="Name in dialog" />
          <Button look="primary" onClick={() => setOpen(false)}>
            Save
          </Button>
        </Dialog>
      </div>
    </Group>
  )
}

function Small() {
  return (
    <Group title="Badges, avatars and keys">
      <div className={styles.row}>
        <Count value={3} label="3 new" />
        <Count value={12} label="12 unread" strong />
        <Count value={5000} label="5000 unread" strong max={99} />
        <Status>Neutral</Status>
        <Status tone="success" icon={CheckIcon}>
          Delivered
        </Status>
        <Status tone="warning" icon={WarningIcon}>
          Closing
        </Status>
        <Status tone="danger" icon={WarningIcon}>
          Failed
        </Status>
        <Avatar name="Ana Lima" />
        <Avatar name="+14155550132" mark={MessageIcon} />
        <Avatar name="Jürgen von der Heide" tiny />
        <AvatarGroup
          names={['Ana Lima', 'Ben Okafor', 'Cy Moreau', 'Dana Sørensen']}
          label="Four colleagues are viewing this"
        />
        <Keys keys="mod+k" />
        <Keys keys="g i" />
      </div>
    </Group>
  )
}

const rows = [
  { id: 'a', name: 'Ana Lima', city: 'Porto' },
  { id: 'b', name: long, city: long },
]

function Lists() {
  const handle = useRef<VListHandle>(null)
  const [direction, setDirection] = useState<'asc' | 'desc'>('asc')
  return (
    <Group title="Links and tables">
      <p>
        <Link to="/inbox">A link to the inbox</Link>
      </p>
      <div className={styles.list}>
        <VirtualTable
          label="People"
          columns={[
            {
              id: 'name',
              label: 'Name',
              width: 'minmax(0, 1fr)',
              direction,
              onSort: () => setDirection(direction === 'asc' ? 'desc' : 'asc'),
              render: ({ name }) => name,
            },
            { id: 'city', label: 'City', width: 'minmax(0, 1fr)', render: ({ city }) => city },
          ]}
          rows={rows}
          totalRows={rows.length}
          isMarked={({ id }) => id === 'a'}
          handle={handle}
          onEnd={() => {}}
        />
      </div>
    </Group>
  )
}

function RightToLeft() {
  return (
    <Group title="Right to left">
      <div dir="rtl" lang="ar" className={styles.row}>
        <Button look="primary" icon={SendIcon}>
          إرسال
        </Button>
        <Button>إلغاء</Button>
        <Count value={3} label="3 جديدة" />
        <Status tone="success" icon={CheckIcon}>
          تم التسليم
        </Status>
        <Avatar name="مريم الحسيني" mark={MessageIcon} />
        <TextField label="الاسم" defaultValue="مريم" />
      </div>
    </Group>
  )
}

function States() {
  const problem = new ApiError(500, { code: 'internal_error', requestId: 'req_01k4' })
  return (
    <Group title="States">
      <Loading rows={2} />
      <Empty title="No conversations yet">
        <Button>Fill it</Button>
      </Empty>
      <Failure error={problem} onRetry={() => {}} />
    </Group>
  )
}
