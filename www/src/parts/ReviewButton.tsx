// The end of a form that sends something: nothing is sent before it was looked over.
export function LookOver() {
  return (
    <button type="submit" class="button primary">
      Look it over
    </button>
  );
}
