import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../icons/icon.tsx'
import styles from './toasts.module.css'

/** A short message at the edge of the window. */
export interface Toast {
  text: string
  kind: 'good' | 'alert'
  /** What the user can do about it, for example undo or try again. */
  action?: { label: string; run: () => void }
}

/** `place`: where it appeared first. */
type ShownToast = Toast & { id: number; place: string | undefined }

const SECONDS = 8

let toasts: readonly ShownToast[] = []
/** The places where messages can appear: the page, and the modal dialogs above it, which make all outside of them inert. */
let places: readonly string[] = []
let lastId = 0
const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

function remove(id: number): void {
  toasts = toasts.filter((toast) => toast.id !== id)
  notify()
}

/** Shows a message. Errors stay until the user closes them, so that slow readers miss none (WCAG 2.2.1). */
export function showToast(toast: Toast): void {
  lastId += 1
  toasts = [...toasts.slice(-2), { ...toast, id: lastId, place: places.at(-1) }]
  notify()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Where messages appear. Those of a modal dialog, which has a place of its own, stay on the page after it has closed. */
export function Toasts() {
  const place = useId()
  const all = useSyncExternalStore(subscribe, () => toasts)
  useSyncExternalStore(subscribe, () => places)
  useEffect(() => {
    places = [...places, place]
    return () => {
      places = places.filter((other) => other !== place)
      notify()
    }
  }, [place])
  const shown = all.filter((toast) => placeOf(toast) === place)
  const render = (kind: Toast['kind']) =>
    shown.filter((toast) => toast.kind === kind).map((toast) => <ToastItem key={toast.id} toast={toast} />)
  return (
    <div className={styles.toasts}>
      {/* Not all screen readers read a status that is added together with its text. */}
      <div className={styles.list} role="status" aria-atomic="false">
        {render('good')}
      </div>
      {render('alert')}
    </div>
  )
}

const placeOf = ({ place }: ShownToast) => (place !== undefined && places.includes(place) ? place : places[0])

/** A message. One that disappears stays while the pointer or the focus is on it. */
function ToastItem({ toast: { id, text, kind, action } }: { toast: ShownToast }) {
  const [hasPointer, setHasPointer] = useState(false)
  const [hasFocus, setHasFocus] = useState(false)
  const item = useRef<HTMLDivElement>(null)
  /** What had the focus before the message. */
  const origin = useRef<EventTarget | null>(null)
  const close = () => {
    if (item.current?.contains(document.activeElement)) focusOrigin(origin.current)
    remove(id)
  }
  useEffect(() => {
    if (kind === 'alert' || hasPointer || hasFocus) return undefined
    const timer = setTimeout(() => remove(id), SECONDS * 1000)
    return () => clearTimeout(timer)
  }, [id, kind, hasPointer, hasFocus])
  return (
    <div
      ref={item}
      className={styles.toast}
      role={kind === 'alert' ? 'alert' : undefined}
      onPointerEnter={() => setHasPointer(true)}
      onPointerLeave={() => setHasPointer(false)}
      onFocus={({ currentTarget, relatedTarget }) => {
        setHasFocus(true)
        if (!currentTarget.contains(relatedTarget)) origin.current = relatedTarget
      }}
      onBlur={() => setHasFocus(false)}
    >
      <Icon name={kind === 'alert' ? 'warning' : 'check'} />
      <p>{text}</p>
      {action && (
        <button
          type="button"
          className={styles.action}
          onClick={() => {
            close()
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className={styles.close} aria-label={message('web.close')} onClick={close}>
        <Icon name="close" />
      </button>
    </div>
  )
}

/** Returns the focus to where it was before the message; to the heading of the page if that is gone. */
function focusOrigin(origin: EventTarget | null): void {
  const target = origin instanceof HTMLElement && origin.isConnected ? origin : document.querySelector('main h1')
  if (target instanceof HTMLElement) target.focus({ preventScroll: true })
}
