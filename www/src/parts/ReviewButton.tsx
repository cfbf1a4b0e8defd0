// The end of a form that sends something: nothing is sent before it was looked over.
export function ReviewButton() {
  return (
    <button type="submit" class="button primary">
      Review
    </button>
  );
}
