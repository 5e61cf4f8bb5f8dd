import { useCallback, useEffect, useState } from 'react'
import type { RefObject } from 'react'

/** So long must the pointer or the focus stay on a link until its card opens. */
const OPEN_DELAY_MS = 500
/** In this time the pointer can move from the link to the card. */
const CLOSE_DELAY_MS = 300

const LINK = '[data-card]'

/**
 * Returns the link of an account whose card is shown, and a function that closes the card. Links name their account in
 * `data-card`. The card opens when the pointer of a mouse or the focus of the keyboard stays on a link, stays while it is
 * on the link or on the card, and closes with Escape (WCAG 1.4.13).
 */
export function useCardTarget(card: RefObject<HTMLElement | null>): [target: HTMLElement | null, close: () => void] {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const close = useCallback(() => setTarget(null), [])

  useEffect(() => {
    if (!matchMedia('(hover: hover)').matches) return undefined
    // The pointer may have been on a link before the card was loaded.
    const timer = setTimeout(() => {
      const link = document.querySelector<HTMLElement>(`${LINK}:hover`)
      if (link && !isCovered(card.current)) setTarget((current) => current ?? link)
    }, OPEN_DELAY_MS)
    return () => clearTimeout(timer)
  }, [card])

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (next: HTMLElement | null) => {
      clearTimeout(timer)
      timer = setTimeout(() => setTarget(next?.isConnected && !isCovered(card.current) ? next : null), delayOf(next))
    }
    /** The pointer or the focus is on an element. */
    const enter = (element: EventTarget | null, isWanted: boolean) => {
      if (!(element instanceof Element)) return
      const link = element.closest<HTMLElement>(LINK)
      if (card.current?.contains(element)) clearTimeout(timer)
      else if (link && isWanted) {
        if (link === target) clearTimeout(timer)
        else later(link)
      } else if (target) later(null)
      else clearTimeout(timer)
    }
    const onPointer = ({ target: element, pointerType }: PointerEvent) => enter(element, pointerType === 'mouse')
    const onFocus = ({ target: element }: FocusEvent) =>
      enter(element, element instanceof Element && element.matches(':focus-visible'))
    const onLeave = () => later(null)
    const onPress = ({ target: element }: Event) => {
      if (element instanceof Node && card.current?.contains(element)) return
      clearTimeout(timer)
      setTarget(null)
    }
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      clearTimeout(timer)
      if (!target) return
      // Escape closes the card only; the focus stays.
      event.preventDefault()
      if (card.current?.contains(document.activeElement)) target.focus()
      setTarget(null)
    }
    document.addEventListener('pointerover', onPointer)
    document.addEventListener('focusin', onFocus)
    document.documentElement.addEventListener('pointerleave', onLeave)
    document.addEventListener('click', onPress)
    document.addEventListener('keydown', onKey, { capture: true })
    return () => {
      clearTimeout(timer)
      document.removeEventListener('pointerover', onPointer)
      document.removeEventListener('focusin', onFocus)
      document.documentElement.removeEventListener('pointerleave', onLeave)
      document.removeEventListener('click', onPress)
      document.removeEventListener('keydown', onKey, { capture: true })
    }
  }, [card, target])

  return [target, close]
}

const delayOf = (next: HTMLElement | null) => (next ? OPEN_DELAY_MS : CLOSE_DELAY_MS)

/** Whether a dialog or a menu is open, below which the card must not appear. */
function isCovered(card: HTMLElement | null): boolean {
  const open = [...document.querySelectorAll('dialog[open], :popover-open')]
  return open.some((element) => element !== card)
}
