import type { ReactNode, RefObject } from 'react'

/** A form without the browser's own messages: `useSubmit` shows what is wrong. */
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
        onSave()
      }}
    >
      {children}
    </form>
  )
}
