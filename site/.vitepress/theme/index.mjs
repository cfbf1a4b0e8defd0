// The usual look with the reader's own fonts: none is brought along.
import theme from "vitepress/theme-without-fonts";

export default theme;
