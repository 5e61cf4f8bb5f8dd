import type { ReactNode, RefObject } from 'react'

/**
 * A form without the browser's own messages: `useSubmit` shows what is wrong. Only numbers that the server would not get
 * as they are typed have them.
 */
export function SavedForm({
  form,
  onSave,
  children,
}: {
  form: RefObject<HTMLFormElement | null>
  onSave: () => void
  children: ReactNode
}) {
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const numbers = [...event.currentTarget.querySelectorAll<HTMLInputElement>('input[type=number]')]
        const wrong = numbers.find(
          ({ validity }) => validity.badInput || validity.stepMismatch || validity.valueMissing,
        )
        if (wrong) wrong.reportValidity()
        else onSave()
      }}
    >
      {children}
    </form>
  )
}
