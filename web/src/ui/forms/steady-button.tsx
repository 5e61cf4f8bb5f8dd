import type { ComponentProps } from 'react'

/**
 * A button that keeps the focus while it cannot be used: browsers take it from a disabled button, so that a screen reader
 * would begin again at the start of the page. Screen readers read it as disabled, and it ignores clicks and the Enter key
 * of its form.
 */
export function SteadyButton({
  type = 'button',
  isUnusable,
  onClick,
  ...more
}: Omit<ComponentProps<'button'>, 'disabled' | 'type'> & { type?: 'button' | 'submit'; isUnusable: boolean }) {
  return (
    <button
      {...more}
      type={type}
      aria-disabled={isUnusable || undefined}
      onClick={(event) => {
        if (isUnusable) event.preventDefault()
        else onClick?.(event)
      }}
    />
  )
}
