/** The logo: a linnet. Decorative, since the name of the site stands beside it or in the title. */
export function Mark() {
  return (
    <svg viewBox="0 4 48 37" aria-hidden="true" focusable="false">
      <path
        fill="var(--ink)"
        fillRule="evenodd"
        d="M1.5 41 21 20.5C23.3 18 24 16.5 24.3 14.8A9.8 9.8 0 0 1 43.2 13.3L47.5 15.6 43.8 17.6V19A22 22 0 0 1 21.8 41ZM33.6 13.6a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0z"
      />
      <path
        fill="var(--breast)"
        d="M43.8 17.6V19A22 22 0 0 1 21.8 41H15C26 38.5 32 32 34 24.5 35.2 20 38.5 17.3 43.8 17.6Z"
      />
    </svg>
  )
}
